# Runs PROGRAM ARGUMENT...; rank RANK has a disk of 64 KiB for its profile, the others use DIR.
#
#   sh small-disk.sh RANK DIR PROGRAM ARGUMENT...
full=$1 place=$2
shift 2
if [ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = "$full" ]; then
  exec unshare -m sh -c 'mount -t tmpfs -o size=64k none /mnt && LOOPSCOPE=report=none,output=/mnt/x.loopscope exec "$@"' sh "$@"
fi
LOOPSCOPE=report=none,output=$place/x.loopscope exec "$@"
