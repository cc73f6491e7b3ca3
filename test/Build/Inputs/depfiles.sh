# usage: depfiles.sh COMPILER ARGUMENTS...
# Compiles plain and instrumented, both with
# depfile main.d, and compares the dependencies.
set -e
include=$(dirname "$0")/../../../runtime/include
# One name per line, sorted, without our own files.
names() {
  sed -e ':a' -e '/\\$/{N;s/\\\n//;ta' -e '}' main.d | sed 's/\([^\\]\) /\1\n/g' |
    sed -e 's/^ *//' -e 's/ *$//' -e '/^$/d' -e 's|^\./||' |
    grep -v -e '/loopscope-rewrite:\{0,1\}$' -e '/runtime/include/loopscope/' | sort -u
}
rm -f main.d
"$@" -idirafter "$include"
names > plain.txt
grep -q net.h plain.txt
rm main.d
loopscope-launch "$@"
grep -q '/loopscope-rewrite$' main.d
names > instrumented.txt
diff plain.txt instrumented.txt
