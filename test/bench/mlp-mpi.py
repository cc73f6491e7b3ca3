"""Compares the ranks view of docs/examples/mlp-mpi with three other accounts of the
run.

usage: mlp-mpi.py BUILD MPICC MPIRUN [RANKS]

Builds the example through the launcher. Runs it with no rank late, with one late in its
loader, with one late in its backward pass, and with ranks late by turns. Prints for
each run the view's sentence; per rank, own time next to the program's own timer, and
waiting time next to that seen by a shim below the wrappers (how long before the last
rank each Allreduce was entered); and efficiencies next to those computed here from the
rows. There should be as many cores as ranks.
"""
import csv
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

SCENES = (("none", 1, 0), ("load", 1, 8), ("backward", 2, 8), ("rotating", 0, 8))
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { MOST = 1 << 20 };
static double times[MOST];
static int count;
int PMPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  static int (*next)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
  struct timespec now;
  if (!next)
    next = (int (*)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm))dlsym(RTLD_NEXT,
                                                                     "PMPI_Allreduce");
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (count < MOST)
    times[count++] = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  return next(in, out, n, type, op, comm);
}
int PMPI_Finalize(void) {
  char path[4096];
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(path, sizeof(path), "%s.%d", getenv("SHIM"), rank);
  FILE *file = fopen(path, "w");
  for (int i = 0; i < count; ++i)
    fprintf(file, "%.9f\n", times[i]);
  fclose(file);
  return ((int (*)(void))dlsym(RTLD_NEXT, "PMPI_Finalize"))();
}
"""


def waits_by_clocks(work, ranks):
    entered = [[float(line) for line in open(work / f"shim.{rank}", encoding="utf-8")]
               for rank in range(ranks)]
    last = [max(times) for times in zip(*entered)]
    return [sum(latest - own for latest, own in zip(last, times)) for times in entered]


def report(profiles, *words):
    return subprocess.run(["loopscope", "report", profiles, "--view", "ranks", "--stage", "fit",
                           *words], check=True, capture_output=True, text=True).stdout


def efficiencies(rows):
    """POP's efficiencies, from the rows' own, wait and transfer times."""
    own_times = [float(row["own_s"]) for row in rows]
    wait = [float(row["wait_s"]) for row in rows]
    elapsed = max(u + w + float(row["transfer_s"]) for u, w, row in zip(own_times, wait, rows))
    mean = sum(own_times) / len(own_times)
    return {"parallel": mean / elapsed, "load_balance": mean / max(own_times),
            "communication": max(own_times) / elapsed}


def main():
    build, compiler, mpirun = sys.argv[1:4]
    ranks = int(sys.argv[4]) if len(sys.argv) > 4 else 4
    root = pathlib.Path(__file__).resolve().parents[2]
    os.environ["PATH"] = f"{os.path.abspath(build)}/bin:{os.environ['PATH']}"
    work = pathlib.Path(tempfile.mkdtemp())
    for name in ("common", "mlp-mpi"):
        shutil.copytree(root / "docs/examples" / name, work / name)
    subprocess.run(["make", "-s", f"CC=loopscope-launch {compiler}",
                    f"LOOPSCOPE_INCLUDE={root}/runtime/include"], cwd=work / "mlp-mpi", check=True)
    (work / "shim.c").write_text(SHIM, encoding="utf-8")
    subprocess.run([compiler, "-w", "-shared", "-fPIC", "shim.c", "-o", "shim.so"], cwd=work,
                   check=True)
    for where, rank, late_ms in SCENES:
        rank = min(rank, ranks - 1)
        profiles = str(work / where) + "/"
        environment = dict(os.environ, SHIM=str(work / "shim"),
                           LOOPSCOPE=f"report=none,keep=ranks,output={profiles}")
        run = subprocess.run([*shlex.split(mpirun), "-n", str(ranks), "env",
                              f"LD_PRELOAD={work}/shim.so", work / "mlp-mpi/mlp-mpi", where,
                              str(rank), str(late_ms), "3"], env=environment, check=False,
                             capture_output=True, text=True)
        timers = [[float(x) for x in each] for each in
                  re.findall(r"rank \d+: ([\d.]+) s of its own, ([\d.]+) s in MPI", run.stdout)]
        if len(timers) != ranks:
            sys.exit(f"mlp-mpi: {run.stdout}{run.stderr}")
        rows = list(csv.DictReader(io.StringIO(report(profiles, "--format", "csv"))))
        facts = json.loads(report(profiles, "--format", "json"))["sections"][0]["run"]
        text = report(profiles, "--width", "200")
        print(f"## {where}, rank {rank}, {late_ms} ms")
        print(re.search(r"by rank\n(.*?)^Rank ", text, re.S | re.M)[1].strip())
        print("rank    own_s   own timer  wait_s  by clocks  transfer_s  in MPI, timer")
        for row, (own, in_mpi), clocks in zip(rows, timers, waits_by_clocks(work, ranks)):
            print(f"{row['rank']:>4}  {float(row['useful_s']):8.3f}  {own:9.3f}  "
                  f"{float(row['wait_s']):6.3f}  {clocks:9.3f}  "
                  f"{float(row['transfer_s']):10.3f}  {in_mpi:13.3f}")
        mine = efficiencies(rows)
        print("  ".join(f"{key} {facts['efficiency'][key]:.3f} (by hand {value:.3f})"
                        for key, value in mine.items()))
    shutil.rmtree(work)


main()
