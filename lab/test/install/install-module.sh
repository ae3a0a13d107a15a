#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# Installs the module out of a build into a temporary prefix, and builds a main in a folder of its own against it with CMake. The main
# is examples/ns3-rdma.cc; its flow must end.
#
#     lab/test/install/install-module.sh BUILD        needs c++, cmake, an installed ns-3
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(cd "$1" && pwd)
tmp=$(mktemp -d)
! command -v ninja > /dev/null || export CMAKE_GENERATOR=Ninja
trap 'rm -rf "$tmp"' EXIT

fail()
{
    echo "install-module: $1" >&2
    exit 1
}

cmake --build "$build" --target rcc-core rcc-module > "$tmp/log" 2>&1 || fail "$(tail -30 "$tmp/log")"
cmake --install "$build" --prefix "$tmp/first" > "$tmp/log" 2>&1 || fail "$(tail -30 "$tmp/log")"
mv "$tmp/first" "$tmp/prefix" # nothing may know where it was
for header in "$root"/core/*/rcc*.h $(sed -n "s|^[a-z]|$root/&|p" "$root/cmake/public-headers.txt" "$root/cmake/engine-headers.txt"); do
    cmp -s "$header" "$tmp/prefix/include/rcc/ns3/$(basename "$header")" || fail "$header is not installed"
done

mkdir "$tmp/own"
for header in rcc-checker.h rcc-lab-module.h lab-paths.h; do
    [ ! -e "$tmp/prefix/include/rcc/ns3/$header" ] || fail "$header is installed, which is private"
done
(echo '#include "ns3/rcc-module.h"'; cat "$root/examples/ns3-rdma.cc") > "$tmp/own/main.cc"
cat > "$tmp/own/CMakeLists.txt" << 'END'
cmake_minimum_required(VERSION 3.10)
project(own LANGUAGES CXX)
find_package(rcc REQUIRED)
add_executable(own main.cc)
target_link_libraries(own rcc::rcc)
END
cmake -S "$tmp/own" -B "$tmp/own/build" -DCMAKE_PREFIX_PATH="$tmp/prefix" > "$tmp/log" 2>&1 || fail "$(tail -30 "$tmp/log")"
cmake --build "$tmp/own/build" > "$tmp/log" 2>&1 || fail "$(tail -30 "$tmp/log")"

printf '3 1 2\n0\n0 1 40Gbps 1us 0\n0 2 40Gbps 1us 0\n' > "$tmp/topology.txt"
printf '1\n1 2 3 100 100000 0.01\n' > "$tmp/flow.txt"
"$tmp/own/build/own" --topology="$tmp/topology.txt" --flows="$tmp/flow.txt" > "$tmp/out" 2>&1 || fail "$(cat "$tmp/out")"
grep -q "^1 of 1 flows ended$" "$tmp/out" || fail "$(cat "$tmp/out")"
grep -Eq "^ +2 +1 +2 +100000 +0.010000000 +[1-9][0-9]*$" "$tmp/out" || fail "$(cat "$tmp/out")"
echo "install-module: a main in a folder of its own builds against the installed module, and its flow ends"
