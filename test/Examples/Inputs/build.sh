#!/bin/sh
# Builds a copy of an example as its README.md describes;
# leaves the program in DIR/plain or DIR/hooked.
#
# usage: build.sh ROOT EXAMPLE COMPILER plain|hooked DIR BUILD
#   ROOT and BUILD are Loopscope's source and build folders.
set -eu
root=$1 example=$2 compiler=$3 form=$4 dir=$5 build=$6
work=$dir/$form.build
rm -rf "$work"
mkdir -p "$work"
cp -r "$root/docs/examples/common" "$root/docs/examples/$example" "$work"
cd "$work/$example"
if [ -f Makefile ]; then
  launcher=
  [ "$form" = plain ] || launcher='loopscope-launch '
  case $compiler in
  *nvcc) variable=NVCC ;;
  *) variable=CC ;;
  esac
  make -s "$variable=$launcher$compiler" "LOOPSCOPE_INCLUDE=$root/runtime/include"
  cp "$example" "$dir/$form"
else
  loopscope=OFF
  [ "$form" = plain ] || loopscope=ON
  cmake -S . -B build -DLOOPSCOPE=$loopscope -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$build" >cmake.log
  cmake --build build >>cmake.log || { cat cmake.log; exit 1; }
  # The only program in the build folder.
  cp "$(find build -maxdepth 1 -type f -perm -u+x)" "$dir/$form"
fi
