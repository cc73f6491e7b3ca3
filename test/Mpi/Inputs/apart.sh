# Runs PROGRAM ARGUMENT... in a separate directory per rank, as on separate hosts.
#
#   sh apart.sh PROGRAM ARGUMENT...
here=host${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
mkdir -p "$here" && cd "$here" && exec "$@"
