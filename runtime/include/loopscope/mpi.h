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

/* The node of the calling thread's innermost span; UINT32_MAX: none. */
uint32_t __loopscope_mpi_node(void) LOOPSCOPE_NOEXCEPT_;

/* A call of NODE moved BYTES to or from PEER, a rank in MPI_COMM_WORLD, or had
 * it as its root: ROLE is of enum loopscope_peer_role. */
void __loopscope_mpi_peer(uint32_t node, int peer, int role,
                          int64_t bytes) LOOPSCOPE_NOEXCEPT_;

/* Ticks of the clock, and that a nonblocking call of NODE, which began at SINCE
 * of it, has ended; of UINT32_MAX, that its end won't be known. */
uint64_t __loopscope_mpi_now(void) LOOPSCOPE_NOEXCEPT_;
void __loopscope_mpi_request(uint32_t node, uint64_t since) LOOPSCOPE_NOEXCEPT_;

/* Whether the loaded library has MPI's standard ABI (libmpi_abi). */
int __loopscope_mpi_is_standard(void) LOOPSCOPE_NOEXCEPT_;

/* Where NAME, a function or object of MPI's library, is: in what the dynamic
 * linker shows to all, else in a loaded library of MPI; null: nowhere. */
void *__loopscope_mpi_find(const char *name) LOOPSCOPE_NOEXCEPT_;

/* Merging the profiles of all ranks in MPI_Finalize (runtime/src/mpi/merge.h).
 *
 * begin: a copy of this process's profile for a run of RANKS ranks, and its
 * size; null where there is nothing to merge. What has begun must end.
 * place: rank 0 takes COUNT bytes at OFFSET of the copy of RANK, which has SIZE
 * bytes; of one rank they come in order.
 * whole: rank 0 has got all that will come; whether every rank's is in the
 * file. end: IS_WHOLE, on every rank, as rank 0 says. wait: a short time, some
 * more after many IDLE rounds; 0 where SECONDS have passed since *SINCE, which
 * begins as 0. */
const void *__loopscope_merge_begin(int ranks,
                                    uint64_t *size) LOOPSCOPE_NOEXCEPT_;
void __loopscope_merge_place(int rank, uint64_t size, uint64_t offset,
                             const void *bytes,
                             uint64_t count) LOOPSCOPE_NOEXCEPT_;
int __loopscope_merge_whole(void) LOOPSCOPE_NOEXCEPT_;
void __loopscope_merge_end(int is_whole) LOOPSCOPE_NOEXCEPT_;
int __loopscope_merge_wait(uint64_t *since, int seconds,
                           unsigned idle) LOOPSCOPE_NOEXCEPT_;
/* Memory, zeros; null without any. What MPI may still write to is never given
 * back. */
void *__loopscope_mpi_memory(uint64_t size) LOOPSCOPE_NOEXCEPT_;
void __loopscope_mpi_free(void *memory, uint64_t size) LOOPSCOPE_NOEXCEPT_;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* LOOPSCOPE_MPI_H */
