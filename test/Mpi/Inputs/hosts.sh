# Runs an MPI program on two hosts simulated by namespaces, each with its own network,
# name and CLOCK_MONOTONIC: alpha, and beta, whose clock is ahead.
#
#   hosts.sh mpich|openmpi SECONDS_AHEAD RANKS_EACH PROGRAM [ARG...]
set -eu
kind=$1 ahead=$2 each=$3
shift 3
alpha=lsa$$ beta=lsb$$
remove() {
  for name in $alpha $beta; do ip netns del $name 2> /dev/null || :; done
}
trap remove EXIT
trap "exit 1" INT TERM
ip netns add $alpha
ip netns add $beta
ip link add ${alpha}v netns $alpha type veth peer name ${beta}v netns $beta
for host in $alpha:1 $beta:2; do
  name=${host%:*}
  ip -n $name addr add 10.213.7.${host#*:}/24 dev ${name}v
  ip -n $name link set ${name}v up
  ip -n $name link set lo up
done
# Stands for ssh: [OPTION]... ADDRESS COMMAND...
cat > agent.sh << END
#!/bin/sh
while :; do case \$1 in -*) shift ;; *) break ;; esac; done
address=\$1
shift
case \$address in
  *.1) exec ip netns exec $alpha unshare -u sh -c "hostname alpha; cd '$PWD'; \$*" ;;
  *) exec ip netns exec $beta unshare -u -T --monotonic $ahead sh -c "hostname beta; cd '$PWD'; \$*" ;;
esac
END
chmod +x agent.sh
hosts=10.213.7.1:$each,10.213.7.2:$each
case $kind in
  mpich) set -- mpirun.mpich -launcher ssh -launcher-exec "$PWD/agent.sh" -hosts $hosts \
    -n $((2 * each)) "$@" ;;
  openmpi) set -- mpirun.openmpi --allow-run-as-root --oversubscribe --host $hosts \
    --mca plm_rsh_agent "$PWD/agent.sh" --mca btl tcp,self \
    --mca btl_tcp_if_include 10.213.7.0/24 --mca oob_tcp_if_include 10.213.7.0/24 \
    -n $((2 * each)) "$@" ;;
esac
ip netns exec $alpha unshare -u sh -c 'hostname alpha; exec timeout 100 "$@"' sh "$@"
