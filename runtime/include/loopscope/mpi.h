/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the wrappers of MPI's functions (libloopscope-mpi.a) call of the runtime
 * beside its hooks. Not for programs. */
#ifndef LOOPSCOPE_MPI_H
#define LOOPSCOPE_MPI_H

#include <loopscope/loopscope.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether calls of MPI are recorded: the runtime records, and LOOPSCOPE=mpi=off
 * wasn't said. Starts the runtime at the first call. */
int __loopscope_mpi_records(void) LOOPSCOPE_NOEXCEPT_;

/* This process's place in MPI_COMM_WORLD, which counts more than what the
 * environment says. The profile's name stays. */
void __loopscope_mpi_rank(int rank, int size) LOOPSCOPE_NOEXCEPT_;

/* The span of TOKEN, which is open, moves BYTES. */
void __loopscope_mpi_bytes(loopscope_token token,
                           int64_t bytes) LOOPSCOPE_NOEXCEPT_;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* LOOPSCOPE_MPI_H */
