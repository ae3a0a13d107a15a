#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
# The way from nothing: a Debian root with nothing but essential packages and apt, a fresh clone of HEAD in it, and the
# commands of the README. Needs root, debootstrap and git on a Debian machine; the root gets this machine's apt sources.
#
#     lab/test/bare-root.sh                          ./rcc run incast, then ./rcc test
#     lab/test/bare-root.sh './rcc run incast'       these commands, each one word
#     BARE_SUITE=trixie lab/test/bare-root.sh ...    another release than this machine's
#
# Ends with the last line of each command, its time and its status; exit status 0 if all were 0. The root is removed.
set -eu

fail() {
    echo "bare-root: error: $*" >&2
    exit 1
}

here=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" = 0 ] || fail "has to be run by root (chroot, mount)"
for tool in debootstrap git unshare chroot; do
    command -v "$tool" >/dev/null || fail "$tool is missing; on Debian: apt-get install debootstrap git util-linux coreutils"
done
[ $# -gt 0 ] || set -- './rcc run incast' './rcc test'

suite=${BARE_SUITE:-$(. /etc/os-release && echo "${VERSION_CODENAME:-}")}
mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v suite="$suite" '$3 == "main" && $2 == suite { print $1; exit }')
[ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
[ -n "$suite" ] && [ -n "$mirror" ] || fail "apt knows no archive; run apt-get update first"
# debootstrap does not ask apt for its proxy
eval "$(apt-config shell http_proxy Acquire::http::Proxy https_proxy Acquire::https::Proxy)"
[ -z "${http_proxy:-}" ] || export http_proxy
[ -z "${https_proxy:-}" ] || export https_proxy

folder=$(mktemp -d)
# mounts are made in a namespace of their own and are gone when it ends, so nothing of the machine is below this folder
trap 'rm -rf --one-file-system "$folder"' EXIT
trap 'exit 130' INT TERM
root=$folder/root
echo "bare-root: $suite into $root"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$folder/debootstrap.log" 2>&1 || {
    tail -n 20 "$folder/debootstrap.log" >&2
    fail "debootstrap failed"
}
if [ -z "${BARE_SUITE:-}" ]; then
    rm -f "$root/etc/apt/sources.list"
    for name in sources.list sources.list.d apt.conf apt.conf.d auth.conf auth.conf.d keyrings preferences preferences.d \
        trusted.gpg trusted.gpg.d; do
        [ ! -e "/etc/apt/$name" ] || cp -a "/etc/apt/$name" "$root/etc/apt/"
    done
    mkdir -p "$root/usr/share/keyrings"
    cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
fi
for name in resolv.conf hosts; do
    [ ! -e "/etc/$name" ] || cp -L "/etc/$name" "$root/etc/$name"
done
[ ! -d /usr/local/share/ca-certificates ] || cp -a /usr/local/share/ca-certificates "$root/usr/local/share/"
git clone -q --no-checkout "$here" "$root/root/rcc"
git -C "$root/root/rcc" checkout -q "$(git -C "$here" rev-parse HEAD)"

inside() {
    unshare --mount --propagation private sh -c '
        mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" || exit 125
        exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LC_ALL=C.UTF-8 sh -c "cd /root/rcc && $2"
    ' sh "$root" "$1" </dev/null
}

bad=0
for words; do
    echo "bare-root: $words"
    begun=$(date +%s)
    status=0
    inside "$words" >"$folder/out" 2>&1 || status=$?
    [ "$status" = 0 ] && tail -n 25 "$folder/out" || { tail -n 200 "$folder/out"; bad=1; }
    echo "bare-root: '$words': status $status after $(($(date +%s) - begun)) s"
done
exit "$bad"
