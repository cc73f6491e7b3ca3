# Runs PROGRAM ARGUMENT... in a directory of the rank's own, as on a host of its own.
#
#   sh apart.sh PROGRAM ARGUMENT...
here=host${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
mkdir -p "$here" && cd "$here" && exec "$@"
