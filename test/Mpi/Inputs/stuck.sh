# Starts RUN..., watches the profiles in p until a line about waiting ranks appears,
# prints that line without its seconds, and ends the run.
#
#   sh stuck.sh RUN...
mkdir p
LOOPSCOPE=report=none,output=p/ "$@" > out 2>&1 &
run=$!
while [ "$(ls p | wc -l)" -lt 3 ] && kill -0 $run; do sleep 0.2; done
timeout 300 loopscope watch p --interval 0.5 | grep -m1 'been in' | sed 's/for [0-9][0-9]* s/for N s/'
kill $run
wait $run || :
