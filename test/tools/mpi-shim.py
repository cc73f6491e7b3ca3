"""Builds a library that counts a program's MPI calls below the wrappers, for every function that has one.

usage: mpi-shim.py OUTPUT MPICC...

Writes the C source OUTPUT.c and compiles it to OUTPUT: test/Mpi/Inputs/shim.c, and a PMPI_X for each function X of
runtime/src/mpi/functions.txt that mpi.h declares. Parameters are mpi.h's; of the table it takes the names alone. How
many bytes a call moves, and to whom, follows from the standard's names of the parameters (RULES). OUTPUT.txt has the
version of the standard that mpi.h is of, then a line "has NAME" or "lacks NAME" for each function of the table.
"""
import importlib
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "..", "..", "runtime", "src", "mpi", "functions.txt")
SHIM = os.path.join(HERE, "..", "Mpi", "Inputs", "shim.c")
prototypes = importlib.import_module("mpi-prototypes")

SENT = "of(sendcount, sendtype)"
SENT_OR_IN_PLACE = f"(sendbuf == MPI_IN_PLACE ? of(recvcount, recvtype) : {SENT})"
MATCHED = "(with(MATCHED, status->MPI_SOURCE, comm, bytes_in(status)), 0)"
# C expressions by the function's name, without _c; others move nothing that is recorded.
RULES = [(re.compile(name), bytes_of) for name, bytes_of in (
    ("Allreduce|Iallreduce|I?scan|Scan|Exscan|Iexscan", "of(count, datatype)"),
    ("Allgather|Iallgather", SENT_OR_IN_PLACE),
    ("Allgatherv|Iallgatherv", f"sendbuf == MPI_IN_PLACE ? of(recvcounts[own(comm)], recvtype) : {SENT}"),
    ("Alltoall|Ialltoall", f"{SENT_OR_IN_PLACE} * ranks(comm)"),
    ("Reduce_scatter_block|Ireduce_scatter_block", "of(recvcount, datatype) * ranks(comm)"),
    ("Bcast|Ibcast|Reduce|Ireduce", "with(ROOT, root, comm, of(count, datatype))"),
    ("Gather|Igather", f"with(ROOT, root, comm, {SENT_OR_IN_PLACE})"),
    ("Scatter|Iscatter", "with(ROOT, root, comm, recvbuf == MPI_IN_PLACE ? "
                         "of(sendcount, sendtype) : of(recvcount, recvtype))"),
    ("I?[Gg]atherv|I?[Ss]catterv", "with(ROOT, root, comm, 0)"),
    ("[SBR]?[Ss]end|I[sbr]?send", "with(TO, dest, comm, of(count, datatype))"),
    ("Sendrecv", f"with(TO, dest, comm, {SENT})"),
    ("Sendrecv_replace", "with(TO, dest, comm, of(count, datatype))"),
    ("Recv", "received(status, datatype)"),
    ("Mprobe", MATCHED),
    ("Improbe", f"*flag ? {MATCHED} : 0"),
)]


def parts(inside):
    """The parameters on one line, and their names."""
    inside = re.sub(r"\s+", " ", inside).strip()
    each = [] if inside in ("", "void") else inside.split(",")
    return inside, ", ".join(re.fullmatch(r".*?(\w+)\s*(?:\[\w*\]\s*)*", one)[1] for one in each)


def definition(name, inside):
    """PMPI_NAME, which counts a call of the program and calls the library."""
    parameters, arguments = parts(inside)
    plain = re.sub("_c$", "", name)
    moved = next((each for rule, each in RULES if rule.fullmatch(plain)), "0")
    status = "  MPI_Status mine;\n  if (status == MPI_STATUS_IGNORE)\n    status = &mine;\n" if "status" in moved else ""
    last = '  write_counts();\n' if name == "Finalize" else ""
    return f"""int PMPI_{name}({parameters}) {{
  int (*next)({parameters}) = dlsym(RTLD_NEXT, "PMPI_{name}");
{status}  long start = depth == 0 ? begin("MPI_{name}") : 0;
{last}  ++depth;
  int result = next({arguments});
  long ns = now() - start;
  if (--depth == 0)
    add("MPI_{name}", result == MPI_SUCCESS ? {moved} : 0, ns);
  return result;
}}
"""


def entered(name, inside):
    """MPI_NAME, which has no wrapper: what the library calls in it isn't the program's."""
    parameters, arguments = parts(inside)
    return f"""int MPI_{name}({parameters}) {{
  int (*next)({parameters}) = dlsym(RTLD_NEXT, "MPI_{name}");
  ++depth;
  int result = next({arguments});
  --depth;
  return result;
}}
"""


def main():
    output, mpicc = sys.argv[1], sys.argv[2:]
    found = prototypes.parameters(mpicc)
    table = prototypes.table(TABLE)
    with open(output + ".c", "w", encoding="utf-8") as file:
        file.write(f'#include "{os.path.abspath(SHIM)}"\n')
        file.write("\n".join(definition(name, found[name][0]) for name in sorted(table) if name in found))
        file.write("\n".join(entered(name, found[name][0]) for name in sorted(found)
                             if name not in table and re.fullmatch(r"File_(?!.*(c2f|f2c)).*", name)))
    version = subprocess.run([*mpicc, "-E", "-P", "-include", "mpi.h", "-x", "c", "-"], check=True, text=True,
                             input="VERSION MPI_VERSION MPI_SUBVERSION", capture_output=True).stdout
    with open(output + ".txt", "w", encoding="utf-8") as file:
        file.write(".".join(re.search(r"VERSION (\d+) (\d+)", version).groups()) + "\n")
        file.writelines(f"{'has' if name in found else 'lacks'} {name}\n" for name in sorted(table))
    subprocess.run([*mpicc, "-shared", "-fPIC", output + ".c", "-o", output], check=True)


main()
