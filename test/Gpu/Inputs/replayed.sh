#!/bin/sh
# Runs a test's program with and without hooks on a replayed GPU.
#
#   replayed.sh MAJOR OUT INCLUDE-FLAGS LINK-FLAGS FOLDER COMPILER SOURCE [FLAG...]
#
# FOLDER has libreplay-MAJOR.so, which is the program's CUDA and, unless
# LOOPSCOPE_CUPTI says otherwise, its CUPTI. OUT.scenario is the scenario, when
# there is one. Environment and results: as of ../../Survive/Inputs/both.sh.
set -u
major=$1 out=$2 include=$3 lib=$4 folder=$5 compiler=$6 source=$7
shift 7
here=$(dirname "$0")
# both.sh removes OUT.*.
if [ -e "$out.scenario" ]; then
  mv "$out.scenario" "$out-scenario"
  export LOOPSCOPE_REPLAY="$out-scenario"
fi
: "${LOOPSCOPE_CUPTI=$folder/libreplay-$major.so}"
export LOOPSCOPE_CUPTI
exec sh "$here/../../Survive/Inputs/both.sh" "$out" "$include -I $here/../../replay" "$lib" \
  "$compiler" "$source" -I "$here/../../replay" -I "$here/../../Survive/Inputs" -I "$here" \
  "$folder/libreplay-$major.so" -Wl,-rpath,"$folder" "$@"
