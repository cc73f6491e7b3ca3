# usage: two-ranks.sh NAME COMMAND...
# Runs COMMAND as ranks 0 and 1, whose profiles are NAME.RANK.rankRANK.loopscope.
name=$1
shift
for rank in 0 1; do
  env RANK=$rank WORLD_SIZE=2 MASTER_ADDR=here MASTER_PORT=$name MEETING=$name.meeting \
    LOOPSCOPE=operators=off,report=none,output=$name.$rank.loopscope "$@" &
  pids="$pids $!"
done
for pid in $pids; do
  wait $pid || exit 1
done
