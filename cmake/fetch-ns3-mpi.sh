#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# SPDX-FileCopyrightText: 2026 rcc contributors
# usage: fetch-ns3-mpi.sh FOLDER   Puts src/mpi/model of Debian's source package ns3 into FOLDER/model. The system's own
# list of package sources, which may have no sources of packages, is left as it is.
set -e
mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
cd "$1"
here=$PWD
version=$(dpkg-query -W -f '${source:Version}' libns3-dev)
. /etc/os-release
cat > deb-src.sources <<END
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: $VERSION_CODENAME
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
apt() {
  apt-get -q -o Dir::Etc::sourcelist="$here/deb-src.sources" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$here/lists" \
    -o Dir::Cache="$here/cache" "$@"
}
apt update
apt source --download-only "ns3=$version"
rm -rf part
mkdir part
found=$(tar tf ns3_*.orig.tar.* | grep 'src/mpi/model/mpi-interface.cc$')
depth=$(printf '%s' "$found" | tr -cd / | wc -c)
tar xf ns3_*.orig.tar.* -C part --strip-components="$depth" --wildcards '*src/mpi/model/*'
mv part model # whole, or not at all
rm -rf cache lists ns3_*
