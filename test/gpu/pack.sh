#!/bin/sh
# Packs what run.sh measures, for a machine with a GPU and its driver, a shell, timeout and Python,
# but without compilers, CUDA or a network:
#
#   sh test/gpu/pack.sh BUILD ARCHIVE.tar.gz
#   (there) tar xzf ARCHIVE.tar.gz && sh gpu-pack/test/gpu/run.sh
#
# BUILD is a finished build of Loopscope; needs nvcc, see programs.sh. The archive has our own
# programs for sm_80, sm_90 and later, and CUPTI's library; with PACK_FOR=replayed, programs for the
# replay library.
set -eu
[ $# = 2 ] || { echo "usage: pack.sh BUILD ARCHIVE.tar.gz" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pack=$work/gpu-pack
mkdir -p "$pack/test/gpu" "$pack/test/tools"
sh "$here/programs.sh" "$1" "$pack/programs" "${PACK_FOR:-packed}"
cp "$here/run.sh" "$here/table.py" "$pack/test/gpu"
cp "$here/../tools/gpu_profile.py" "$pack/test/tools"
tar -C "$work" -czf "$2.part" gpu-pack
mv "$2.part" "$2"
echo "$2: $(($(wc -c <"$2") / 1000)) kB"
