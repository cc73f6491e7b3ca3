# usage: run-gloo.sh NAME COMMAND...
# Runs COMMAND, gloo.cpp's program, whose profile is NAME.rank0.loopscope, and compares its output and exit code with the plain
# program's.
name=$1
shift
TRUTH=$name.truth LOOPSCOPE=operators=off,report=none,output=$name.loopscope$EXTRA "$@" > $name.out
echo $? > $name.code
cmp plain $name.out && cmp plain.code $name.code
