/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtime's interface for the MPI wrappers (libloopscope-mpi.a), in
 * addition to its hooks. Not for programs. */
#ifndef LOOPSCOPE_MPI_H
#define LOOPSCOPE_MPI_H

#include <loopscope/loopscope.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether MPI calls are recorded: the runtime is on, and LOOPSCOPE=mpi=off
 * isn't set. Starts the runtime at the first call. */
int __loopscope_mpi_records(void) LOOPSCOPE_NOEXCEPT_;

/* Sets this process's rank and size in MPI_COMM_WORLD, which override the
 * environment's. The profile keeps its file name. */
void __loopscope_mpi_rank(int rank, int size) LOOPSCOPE_NOEXCEPT_;

/* A loop that asks whether something has come is waiting. asked: the calling
 * thread's last call asked so, and nothing had. enter_again: begins the span of
 * SITE for the same question, where the call that asked before it has ended, if
 * the thread has opened no span since and at most 200 ns have passed, else now.
 */
void __loopscope_mpi_asked(void) LOOPSCOPE_NOEXCEPT_;
loopscope_token
__loopscope_mpi_enter_again(const loopscope_site *site) LOOPSCOPE_NOEXCEPT_;

/* Adds BYTES to the open span of TOKEN. */
void __loopscope_mpi_bytes(loopscope_token token,
                           int64_t bytes) LOOPSCOPE_NOEXCEPT_;

/* The node of the calling thread's innermost span, or UINT32_MAX. */
uint32_t __loopscope_mpi_node(void) LOOPSCOPE_NOEXCEPT_;

/* Records that a call of NODE moved BYTES to or from PEER, a rank in
 * MPI_COMM_WORLD, or had PEER as its root. ROLE is an enum loopscope_peer_role.
 */
void __loopscope_mpi_peer(uint32_t node, int peer, int role,
                          int64_t bytes) LOOPSCOPE_NOEXCEPT_;

/* The calling thread's innermost span waits for one at least of COUNT RANKS in
 * MPI_COMM_WORLD, or of more that aren't named if COUNT is above
 * LOOPSCOPE_MOST_AWAITED; -2: for any rank. COUNT 0: that isn't known. */
void __loopscope_mpi_await(const int *ranks,
                           uint32_t count) LOOPSCOPE_NOEXCEPT_;

/* now: the clock in ticks. request: a nonblocking call of NODE that began at
 * tick SINCE has ended; with NODE UINT32_MAX, the end of some call will never
 * be known. */
uint64_t __loopscope_mpi_now(void) LOOPSCOPE_NOEXCEPT_;
void __loopscope_mpi_request(uint32_t node, uint64_t since) LOOPSCOPE_NOEXCEPT_;

/* The same for the wrappers of LibTorch's operations with Gloo. records: the
 * runtime is on, and LOOPSCOPE=gloo=off isn't set. rank: a process group was
 * made in which this process is RANK of RANKS, which is its rank in the run if
 * none is known; returns whether that is so. */
int __loopscope_gloo_records(void) LOOPSCOPE_NOEXCEPT_;
int __loopscope_gloo_rank(int rank, int ranks) LOOPSCOPE_NOEXCEPT_;

/* Whether the loaded library has MPI's standard ABI (libmpi_abi). */
int __loopscope_mpi_is_standard(void) LOOPSCOPE_NOEXCEPT_;

/* The address of NAME, a function or object of the MPI library: looked up as
 * the dynamic linker does, then in the loaded MPI libraries. Null if it isn't
 * found. */
void *__loopscope_mpi_find(const char *name) LOOPSCOPE_NOEXCEPT_;

/* A copy of a profile, or 0 bytes; valid until the next one is asked for. */
struct loopscope_copy {
  const void *bytes;
  uint64_t size;
};

/* Merging the profiles of all ranks in MPI_Finalize (runtime/src/mpi/merge.h).
 *
 * begin: whether this process, one of RANKS ranks, takes part. Each begin that
 * does needs an end.
 * base: on rank 0: what all ranks pack their copies against; 0 bytes: they
 * send whole ones.
 * packed: this process's copy, packed against rank 0's BASE.
 * copy: this process's whole copy.
 * place: on rank 0, stores COUNT bytes at OFFSET of the copy of RANK, which has
 * SIZE bytes. The bytes of one rank arrive in order.
 * chosen: on rank 0, after all have arrived: which RANKS,
 * LOOPSCOPE_MERGE_CHOSEN at most, are to send whole copies, too; returns how
 * many.
 * whole: on rank 0, after everything has arrived: whether the file has every
 * rank's copy.
 * awaits: the same as wait until all ranks take part: as long as they may.
 * end: on every rank, with rank 0's IS_WHOLE; LOOPSCOPE_MERGE_ABSENT if it
 * waited in vain for others to take part.
 * wait: sleeps for a short time, longer after many IDLE rounds; returns 0 once
 * SECONDS have passed since *SINCE, which starts as 0. */
#define LOOPSCOPE_MERGE_CHOSEN 10
#define LOOPSCOPE_MERGE_ABSENT (-1)
int __loopscope_merge_begin(int ranks) LOOPSCOPE_NOEXCEPT_;
struct loopscope_copy __loopscope_merge_base(void) LOOPSCOPE_NOEXCEPT_;
struct loopscope_copy
__loopscope_merge_packed(struct loopscope_copy base) LOOPSCOPE_NOEXCEPT_;
struct loopscope_copy __loopscope_merge_copy(void) LOOPSCOPE_NOEXCEPT_;
uint32_t __loopscope_merge_chosen(uint32_t *ranks) LOOPSCOPE_NOEXCEPT_;
void __loopscope_merge_place(int rank, uint64_t size, uint64_t offset,
                             const void *bytes,
                             uint64_t count) LOOPSCOPE_NOEXCEPT_;
int __loopscope_merge_whole(void) LOOPSCOPE_NOEXCEPT_;
void __loopscope_merge_end(int is_whole) LOOPSCOPE_NOEXCEPT_;
int __loopscope_merge_awaits(uint64_t *since,
                             unsigned idle) LOOPSCOPE_NOEXCEPT_;
int __loopscope_merge_wait(uint64_t *since, int seconds,
                           unsigned idle) LOOPSCOPE_NOEXCEPT_;
/* Zeroed memory, or null. Memory that MPI may still write to is never freed. */
void *__loopscope_mpi_memory(uint64_t size) LOOPSCOPE_NOEXCEPT_;
void __loopscope_mpi_free(void *memory, uint64_t size) LOOPSCOPE_NOEXCEPT_;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* LOOPSCOPE_MPI_H */
