# usage: sandbox.sh COMPILER SOURCE: compiles SOURCE (below src) and links it,
# plain and with hooks, in a sandbox as build systems make them: sources are links
# to read-only files in a store, whose names say nothing of them; the environment
# is empty, and outputs go elsewhere. Compares objects' names, dependencies and
# what the debugger calls the source. PROGRAM and its profile are left in out.
set -e
inputs=$(cd "$(dirname "$0")" && pwd)
headers=$inputs/../../../runtime/include
compiler=$1 source=$2
rm -rf out plain && mkdir out plain

compile() {
  folder=$1
  shift
  env -i PATH=/usr/bin:/bin PWD=/proc/self/cwd "$@" "$compiler" -g -O1 -iquote . -idirafter "$headers" \
    -no-canonical-prefixes -frandom-seed="$folder/a.o" -Wall -Werror -MD -MF "$folder/a.d" -c "src/$source" -o "$folder/a.o"
}
launcher=$(command -v loopscope-launch)
compile plain
compile out "$launcher"
names() { tr -s ' \\' '\n' < "$1" | grep -v -e loopscope -e '\.o:' | sort -u; }
names plain/a.d > plain/names && names out/a.d > out/names
diff plain/names out/names
dump() { llvm-dwarfdump --debug-info "$1" | grep -m 2 -e DW_AT_name -e DW_AT_comp_dir; }
dump plain/a.o > plain/dump && dump out/a.o > out/dump
diff plain/dump out/dump
# The compiler names the object by the link, too.
(cd out && env -i PATH=/usr/bin:/bin "$launcher" "$compiler" -iquote .. -idirafter "$headers" -c "../src/$source")
test -s "out/${source%.*}.o"
rm "out/${source%.*}.o"
test "$(ls out)" = "$(printf 'a.d\na.o\ndump\nnames')"
echo "-o out/program out/a.o" > out/parameters
env -i PATH=/usr/bin:/bin "$launcher" "$compiler" @out/parameters
LOOPSCOPE=report=none,output=out/profile out/program
