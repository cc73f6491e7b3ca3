# usage: worktrees.sh COMPILER SOURCE HOW OPTIONS... Compiles SOURCE in two
# copies of Inputs/worktree, plain and with hooks, through ccache, and compares
# hits and objects. HOW: relative or absolute names, or in, a directory below.
set -e
inputs=$(cd "$(dirname "$0")" && pwd)
compiler=$1 source=$2 how=$3
shift 3
options="-O1 -MMD -idirafter $inputs/../../../runtime/include $*"
launch="env CCACHE_DIR=$PWD/cache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1"

# compile TREE OBJECT LAUNCHER...
compile() {
  tree=$1 object=$2
  shift 2
  case $how in
  relative) top=. from=. ;;
  absolute) top=$PWD/$tree from=. ;;
  build) top=$PWD/$tree from=build/deep ;;
  up) top=.. from=build ;;
  esac
  mkdir -p $tree/$from
  (cd $tree/$from && $launch "$@" $compiler $options -I$top/include -c $top/src/$source -o $object)
}

# hits: the cache's hits since the last call
hits() {
  $launch ccache --print-stats | awk '/_cache_hit/ { n += $2 } END { print n + 0 }'
  $launch ccache -z > /dev/null
}

rm -rf wt1 wt2 cache
cp -r "$inputs/worktree" wt1 && cp -r "$inputs/worktree" wt2
hits > /dev/null
compile wt1 plain.o ccache && compile wt2 plain.o ccache
test "$(hits)" = 1
compile wt1 hooked.o loopscope-launch ccache
test "$(hits)" = 0
compile wt2 hooked.o loopscope-launch ccache
test "$(hits)" = 1
compile wt2 hooked.o loopscope-launch ccache # the same once more
test "$(hits)" = 1
cmp wt1/$from/hooked.o wt2/$from/hooked.o
# The cached object is the compiled one and names no place.
mv wt2/$from/hooked.o cached.o && mv wt2/$from/hooked.d cached.d
launch="$launch CCACHE_RECACHE=1" compile wt2 hooked.o loopscope-launch ccache
cmp cached.o wt2/$from/hooked.o && cmp cached.d wt2/$from/hooked.d
! strings -a cached.o | grep -e loopscope-mirror -e "$PWD/wt"
! grep -e loopscope-mirror cached.d
# Dependencies are a plain build's, except for our headers and programs.
names() { tr -s ' \\' '\n' < "$1" | grep -v -e loopscope -e '\.o:' | sort -u; }
names wt2/$from/plain.d > plain.txt && names cached.d > hooked.txt
diff plain.txt hooked.txt
# The program prints and its debug information has what they do in a plain build.
dump() { llvm-dwarfdump --debug-info "$1" | grep -m 2 -e DW_AT_name -e DW_AT_comp_dir; }
compile wt2 hooked.o loopscope-launch ccache
case $options in
*' -g'*)
  dump wt2/$from/plain.o > plain.txt && dump wt2/$from/hooked.o > hooked.txt
  diff plain.txt hooked.txt
  ;;
esac
if [ "$source" = train.cpp ]; then
  $compiler wt2/$from/plain.o -o plain && ./plain > plain.txt
  loopscope-launch $compiler wt2/$from/hooked.o -o hooked
  LOOPSCOPE=off ./hooked > hooked.txt
  diff plain.txt hooked.txt
fi
# Another name of a phase or another text of a header is another object.
hits > /dev/null
if [ "$source" = train.cpp ]; then
  sed -i 's/"forward"/"front"/' wt2/src/net.h
  compile wt2 hooked.o loopscope-launch ccache
  strings -a wt2/$from/hooked.o | grep -x front
  cp wt1/src/net.h wt2/src
fi
headers="plain.h src/util.h include/shape.h include/layer.h"
test "$source" = train.cpp || headers=src/loop.h
for header in $headers; do
  echo 'enum { changed };' >> wt2/$header
  compile wt2 hooked.o loopscope-launch ccache
  cp wt1/$header wt2/$header
done
test "$(hits)" = 0
