// The tests' interface to the NCCL replacement (fake_nccl.cpp).
#ifndef FAKE_NCCL_H
#define FAKE_NCCL_H

#include <cstddef>
#include <cstdint>

extern "C" {
struct fake_comm;

// A rank of a communicator, like ncclCommInitRank. The name may be null.
fake_comm *fake_comm_init(uint64_t hash, int ranks, int rank, const char *name);
void fake_comm_destroy(fake_comm *comm);

// An operation: "AllReduce", "Send", ... with COUNT elements of "ncclFloat32" etc. OTHER
// is the root or peer. Between fake_group_start and fake_group_end nothing is launched.
void fake_operation(fake_comm *comm, const char *function, size_t count, const char *type,
                    int other);
void fake_group_start();
void fake_group_end();

// How many of the plug-in's functions were called, and its version; 0: none.
int fake_plugin_version();
long fake_plugin_calls();
}

#endif
