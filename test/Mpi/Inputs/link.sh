# Builds plain.c through the launcher with MPI's library at every place of the command
# line, and runs the results: link.sh SOURCE MPICC MPIRUN...
set -e
source=$1 compiler=$2
shift 2
flags=$($compiler -show | sed 's/^[^ ]* //')
loopscope-launch gcc -c "$source" $flags -o plain.o
loopscope-launch gcc plain.o $flags -o behind
loopscope-launch gcc $flags plain.o -o before
loopscope-launch "$compiler" "$source" -o wrapped
loopscope-launch gcc $flags "$source" -o at-once
for each in behind before wrapped at-once; do
  LOOPSCOPE=report=none,output=$each.p/ "$@" -n 2 ./$each
  echo $each
  loopscope report $each.p --rank 1 --view tree --format csv --columns name,calls
done
