# usage: worktrees.sh COMPILER SOURCE HOW OPTIONS... Compiles SOURCE in two
# copies of Inputs/worktree, plain and with hooks, through ccache, and compares
# hits, objects and dependencies. HOW: relative names, also from a directory
# below (up), or absolute ones (build: from a directory below).
set -e
inputs=$(cd "$(dirname "$0")" && pwd)
compiler=$1 source=$2 how=$3
shift 3
options="-O1 -MMD -idirafter $inputs/../../../runtime/include $*"
settings="CCACHE_DIR=$PWD/cache CCACHE_BASEDIR=$PWD"

# compile TREE OBJECT LAUNCHER...
compile() {
  tree=$1 object=$2
  shift 2
  case $how in
  relative) top=. from=. ;;
  up) top=.. from=build ;;
  absolute) top=$PWD/$tree from=. ;;
  build) top=$PWD/$tree from=build/deep ;;
  esac
  mkdir -p $tree/$from
  map=-fdebug-prefix-map=$PWD/$tree=.
  (cd $tree/$from && env $settings "$@" $compiler $options $map -I$top/include -c $top/src/$source -o $object)
}

# expect N: there were N hits since the last call
expect() {
  hits=$(env $settings ccache --print-stats | awk '/_cache_hit/ { n += $2 } END { print n + 0 }')
  test "$hits" = "$1"
  env $settings ccache -z > /dev/null
}

rm -rf wt1 wt2 cache
cp -r "$inputs/worktree" wt1 && cp -r "$inputs/worktree" wt2
compile wt1 plain.o ccache && compile wt2 plain.o ccache
expect 1
compile wt1 hooked.o loopscope-launch ccache
expect 0
compile wt2 hooked.o loopscope-launch ccache
expect 1
# The cached object is the compiled one and names no place.
for suffix in o d; do cp wt2/$from/hooked.$suffix cached.$suffix; done
compile wt2 hooked.o env CCACHE_RECACHE=1 loopscope-launch ccache
cmp cached.o wt2/$from/hooked.o && cmp cached.d wt2/$from/hooked.d
if strings -a cached.o | grep -e loopscope-mirror -e "$PWD/wt" || grep loopscope-mirror cached.d; then
  exit 1
fi
# Dependencies are a plain build's, except for our headers and programs.
names() { tr -s ' \\' '\n' < "$1" | grep -v -e loopscope -e '\.o:' | sort -u; }
names wt2/$from/plain.d > plain.txt && names cached.d > hooked.txt
diff plain.txt hooked.txt
if [ "$source" = train.cpp ]; then
  $compiler wt2/$from/plain.o -o plain && ./plain > plain.txt
  loopscope-launch $compiler wt2/$from/hooked.o -o hooked
  LOOPSCOPE=off ./hooked > hooked.txt
  diff plain.txt hooked.txt
fi
dump() { llvm-dwarfdump --debug-info "$1" | grep -m 2 -e DW_AT_name -e DW_AT_comp_dir || true; }
dump wt2/$from/plain.o > plain.txt && dump wt2/$from/hooked.o > hooked.txt
diff plain.txt hooked.txt
# Another phase's name or another text of a header is another object.
test "$how" = build || exit 0
expect 0
sed -i 's/"forward"/"front"/' wt2/src/net.h
compile wt2 hooked.o loopscope-launch ccache
strings -a wt2/$from/hooked.o | grep -x front
cp wt1/src/net.h wt2/src
for header in plain.h src/util.h include/shape.h include/layer.h; do
  echo 'enum { changed };' >> wt2/$header
  compile wt2 hooked.o loopscope-launch ccache
  cp wt1/$header wt2/$header
done
expect 0
