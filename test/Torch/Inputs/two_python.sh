# usage: two_python.sh NAME PORT COMMAND...
# Runs COMMAND as ranks 0 and 1, whose output is NAME.RANK with the exit code in its last line.
name=$1
port=$2
shift 2
for rank in 0 1; do
  (
    env RANK=$rank WORLD_SIZE=2 LOCAL_RANK=$rank MASTER_ADDR=127.0.0.1 MASTER_PORT=$port \
      LOOPSCOPE=report=none,output=$name.$rank.loopscope "$@" > $name.$rank 2> $name.$rank.err
    echo "exit code $?" >> $name.$rank
  ) &
done
wait
