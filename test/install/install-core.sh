#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
#
# Installs the core into a temporary prefix, without ns-3, and builds examples/c-host from the sources, with pkg-config
# and with CMake. All must print the same, and the numbers must be those of a working congestion control.
#
#     test/install/install-core.sh          needs cc, cmake, pkg-config
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
host=$root/examples/c-host
! command -v ninja > /dev/null || export CMAKE_GENERATOR=Ninja # make starts cmake for each file
cc=${CC:-cc}

fail()
{
    echo "install-core: $1" >&2
    exit 1
}

# from the sources, by nothing but a compiler; here and below as little optimised as possible, which takes a third of the time
$cc -std=c11 -O0 -Wall -Wextra -Wpedantic -Werror -I"$root/core/cc" -I"$root/core/transport" -I"$root/core/port" -I"$root/core/qp" -I"$root/core/text" \
    "$host/host.c" "$root"/core/cc/*.c "$root"/core/transport/*.c "$root"/core/port/*.c "$root"/core/text/*.c "$root"/core/qp/*.c \
    -o "$tmp/from-sources"

# installed, and the prefix moved afterwards: nothing may know where it was
cmake -S "$root" -B "$tmp/build" -DRCC_CORE_ONLY=ON -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 > "$tmp/log" || fail "$(cat "$tmp/log")"
cmake --build "$tmp/build" > "$tmp/log" || fail "$(cat "$tmp/log")"
cmake --install "$tmp/build" --prefix "$tmp/first" > "$tmp/log" || fail "$(cat "$tmp/log")"
mv "$tmp/first" "$tmp/prefix"
for header in "$root"/core/*/rcc*.h; do
    cmp -s "$header" "$tmp/prefix/include/rcc/$(basename "$header")" || fail "$header is not installed"
done

# a program may have functions of its own by any name but rcc_...
foreign=$(nm -g "$(find "$tmp/prefix" -name 'librcc-core.a')" | awk '$2 ~ /[A-TV-Z]/ && $3 !~ /^_?rcc_/ { print $3 }')
[ -z "$foreign" ] || fail "names of librcc-core.a without rcc_: $foreign"

pc=$(find "$tmp/prefix" -name rcc-core.pc)
[ -n "$pc" ] || fail "rcc-core.pc is not installed"
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
[ "$(pkg-config --modversion rcc-core)" = "$(sed -n 's/.*RCC_VERSION "\(.*\)"/\1/p' "$root/core/cc/rcc.h")" ] ||
    fail "the version of rcc-core.pc is not that of rcc.h"
# shellcheck disable=SC2046
$cc -std=c11 -O2 "$host/host.c" $(pkg-config --cflags --libs rcc-core) -o "$tmp/from-pkg-config"

# folders of their own for libraries and headers, as absolute paths, and a blank in each
cmake -S "$root" -B "$tmp/build" "-DCMAKE_INSTALL_PREFIX=$tmp/an other" "-DCMAKE_INSTALL_LIBDIR=$tmp/an other/my lib" \
    "-DCMAKE_INSTALL_INCLUDEDIR=$tmp/some headers" > "$tmp/log" || fail "$(cat "$tmp/log")"
cmake --build "$tmp/build" > "$tmp/log" || fail "$(cat "$tmp/log")"
cmake --install "$tmp/build" > "$tmp/log" || fail "$(cat "$tmp/log")"
PKG_CONFIG_PATH="$tmp/an other/my lib/pkgconfig"
eval "$cc -std=c11 -O2 '$host/host.c' $(pkg-config --cflags --libs rcc-core) -o '$tmp/from-absolute'" ||
    fail "rcc-core.pc does not find absolute folders: $(pkg-config --cflags --libs rcc-core)"

cmake -S "$host" -B "$tmp/cmake" -DCMAKE_PREFIX_PATH="$tmp/prefix" -DCMAKE_C_COMPILER="$cc" > "$tmp/log" ||
    fail "$(cat "$tmp/log")"
cmake --build "$tmp/cmake" > "$tmp/log" || fail "$(cat "$tmp/log")"
cp "$tmp/cmake/host" "$tmp/from-cmake"

for way in sources pkg-config absolute cmake; do
    "$tmp/from-$way" > "$tmp/$way.txt" || fail "host from $way: $(tail -1 "$tmp/$way.txt")"
    cmp -s "$tmp/$way.txt" "$tmp/sources.txt" || fail "the host from $way prints something else"
done

awk '
/^sent/ {
    gsub(",", "")
    if ($2 != $4 + $6) { print "packets sent " $2 ", received and queued " $4 + $6; bad = 1 }
    if ($9 < 5 || $9 >= 1000) { print "longest queue " $9 " frames"; bad = 1 }
    if ($11 < 10) { print "CNPs " $11; bad = 1 }
    lines++
}
/^second half/ {
    if ($6 < 40 || $6 > 60 || $11 < 90) { print "share " $6 " %, busy " $11 " %"; bad = 1 }
    lines++
}
END { exit bad || lines != 2 }' "$tmp/sources.txt" || fail "the numbers of the host are wrong: $(tail -2 "$tmp/sources.txt")"
echo "install-core: the host builds in four ways and its numbers hold"
