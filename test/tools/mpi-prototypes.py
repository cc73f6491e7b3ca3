"""Compares the table of wrapped MPI functions with a library's header.

usage: mpi-prototypes.py FUNCTIONS MPICC

FUNCTIONS is runtime/src/mpi/functions.txt. Each function of it that mpi.h declares has as many
parameters there. Prints the functions of mpi.h that may wait for another rank and have no wrapper:
those that are neither in the table nor local by their name (LOCAL).
"""
import re
import subprocess
import sys

# Functions that return without another rank's doing, or only convert and describe.
LOCAL = re.compile(
    r"(Type|Info|Group|T|Status|Errhandler|Op|Keyval|Grequest|Graph|Graphdims|Cartdim|Dims|Dist_graph"
    r"|Attr|Aint|Add|Error|Get|Is|Query|Alloc|Free|Pack|Unpack|Topo|Reduce_local|Attr)_.*"
    r"|(Send|Ssend|Rsend|Bsend|Recv|Psend|Precv)_init(_c)?|Reduce_local(_c)?|.*_f2c|.*_c2f|.*_f08.*"
    r"|(Comm|Win|File|Session)_(c2f|f2c|toint|fromint|get_.*|set_(attr|errhandler|info|name|atomicity)|call_errhandler"
    r"|create_errhandler|create_keyval|delete_attr|free_keyval|compare|group|rank|size|remote_group"
    r"|remote_size|test_inter|attach|detach|shared_query(_c)?|delete|iread(_at|_shared)?(_c)?"
    r"|iwrite(_at|_shared)?(_c)?|seek|seek_shared)"
    r"|Cart_(coords|get|map|rank|shift)|Abort|Address|Buffer_attach(_c)?|Close_port|DUP_FN|Finalized"
    r"|Initialized|Lookup_name|Open_port|Pack(_c)?|Unpack(_c)?|Pcontrol|Publish_name|Register_datarep(_c)?"
    r"|Test_cancelled|Unpublish_name|Wtick|Wtime|NULL_.*|CONVERSION_FN_NULL|.*_(DUP|NULL)_.*|Grequest.*")


def parameters(mpicc):
    """By name: the texts of the parameters in mpi.h, several if there are several declarations."""
    text = subprocess.run([*mpicc, "-E", "-x", "c", "-include", "mpi.h", "/dev/null"], check=True,
                          capture_output=True, text=True).stdout
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    found = {}
    for name, inside in re.findall(r"\bMPI_(\w+)\s*\(((?:[^()]|\([^()]*\))*)\)\s*;", text):
        found.setdefault(name, []).append(inside.strip())
    if len(found) < 200:
        sys.exit(f"mpi-prototypes: only {len(found)} functions in mpi.h")
    return found


def number(inside):
    return 0 if inside in ("", "void") else inside.count(",") + 1


def table(path):
    """The functions of the table: their numbers of parameters, and whether a library may lack them."""
    rows = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if row := re.match(r"([A-Za-z_]+)(\[optional\])?(\[_c\])? (\d+) ", line):
                rows[row[1]] = (int(row[4]), bool(row[2]))
                if row[3]:
                    rows[row[1] + "_c"] = (int(row[4]), True)
    return rows


def main():
    wrapped, found = table(sys.argv[1]), parameters(sys.argv[2:])
    if missing := {name for name, (_, optional) in wrapped.items() if not optional} - found.keys():
        sys.exit(f"mpi-prototypes: mpi.h lacks {', '.join(sorted(missing))}, which aren't [optional]")
    for name, (wanted, _) in wrapped.items():
        numbers = {number(each) for each in found.get(name, [])}
        if numbers and numbers != {wanted}:
            sys.exit(f"mpi-prototypes: MPI_{name} has {numbers} parameters, not {wanted}")
    print("without a wrapper:", *sorted(f"MPI_{name}" for name in found
                                        if name not in wrapped and not LOCAL.fullmatch(name)))


if __name__ == "__main__":
    main()
