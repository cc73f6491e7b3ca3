# usage: names.sh COMPILER PREFIX FLAGS... Builds the program of
# PREFIXmain.cpp and PREFIXother.cpp plain and instrumented, and compares
# the names that it prints and the names in its debug information.
set -e
include=$(dirname "$0")/../../../runtime/include
compiler=$1 prefix=$2
shift 2
for source in main other; do
  $compiler -g "$@" -idirafter "$include" -c "$prefix$source.cpp" -o plain-$source.o
  loopscope-launch $compiler -g "$@" -c "$prefix$source.cpp" -o $source.o
  if strings -a $source.o | grep '\.o\.loopscope'; then
    exit 1
  fi
  for object in plain-$source $source; do
    llvm-dwarfdump --debug-info $object.o | grep -m 2 -e DW_AT_name -e DW_AT_comp_dir > $object.txt
  done
  diff plain-$source.txt $source.txt
done
$compiler plain-main.o plain-other.o -o plain
loopscope-launch $compiler main.o other.o -o train
./plain > plain.txt
LOOPSCOPE=off ./train > train.txt
diff plain.txt train.txt
