# Starts RUN... with RANKS ranks, watches the profiles in p until LINES lines about waiting ranks
# appear at a time, prints those sorted and without their seconds, and ends the run.
#
#   sh stuck.sh RANKS LINES RUN...
ranks=$1 lines=$2
shift 2
rm -rf p && mkdir p
LOOPSCOPE=report=none,output=p/ "$@" > out 2>&1 &
run=$!
while [ "$(ls p | wc -l)" -lt "$ranks" ] && kill -0 $run; do sleep 0.2; done
timeout 300 loopscope watch p --interval 0.5 |
  awk -v most="$lines" '
    /been in/ { sub(/for [0-9]+ s/, "for N s"); line[++n] = $0; next }
    n == most { for (i = 1; i <= n; ++i) print line[i]; exit }
    { n = 0 }' | sort
kill $run
wait $run || :
