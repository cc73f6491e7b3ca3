#!/bin/sh
# Makes a folder that looks like an installation of Loopscope, with links to a build.
#
# usage: prefix.sh SOURCE_ROOT BUILD_ROOT PREFIX
set -eu
mkdir -p "$3"
ln -s "$1/runtime/include" "$3/include"
ln -s "$2/lib" "$2/bin" "$2"/Loopscope*.cmake "$3"
