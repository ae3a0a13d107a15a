#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
# Runs a compiler. Before it makes a precompiled header the one of before goes: gcc would read that one and make another of it than a
# folder that has none, and a compiler cache would find nothing that was compiled with it. Words CCACHE_NAME=VALUE that come first are of
# its environment: to start env, or cmake -E env, takes longer than the cache.
while
    case $1 in
    CCACHE_*=*) export "$1" ;;
    *) false ;;
    esac
do
    shift
done
for word; do
  case $word in
    *.gch) rm -f "$word" ;;
  esac
done
exec "$@"
