// NCCL's profiler plug-in of version FAKE_VERSION, from the headers of the versions.
#ifndef PLUGIN_H
#define PLUGIN_H

#include <cstddef>
#include <cstdint>

namespace {
enum { GROUP = 1, COLL = 2, P2P = 4, PROXY_OP = 8, PROXY_STEP = 16, KERNEL_CH = 64,
       NET_PLUGIN = 128, GROUP_API = 256, COLL_API = 512, P2P_API = 1024, KERNEL_LAUNCH = 2048,
       CE_COLL = 4096, CE_REST = 8192 | 16384, PROXY_CONTROL = 32 };

// The requested version; v3 is v2 without `traffic`.
#if FAKE_VERSION == 2 || FAKE_VERSION == 3
struct Descriptor {
  uint8_t type;
  void *parent;
  int rank;
  union {
    struct {
      const char *name;
      uint64_t hash, sequence;
      const char *function;
      const void *send;
      void *receive;
      size_t count;
      int root;
      const char *datatype;
#if FAKE_VERSION == 2
      size_t traffic;
#endif
      uint8_t channels, warps;
      const char *algorithm, *protocol;
    } coll;
    struct {
      const char *name;
      uint64_t hash;
      const char *function;
      void *buffer;
      const char *datatype;
      size_t count;
      int peer;
    } p2p;
  };
};
using Init = int(void **, int *);
#elif FAKE_VERSION == 4
struct Descriptor {
  uint8_t type;
  void *parent;
  int rank;
  union {
    struct {
      uint64_t sequence;
      const char *function;
      const void *send;
      void *receive;
      size_t count;
      int root;
      const char *datatype;
      uint8_t channels, warps;
      const char *algorithm, *protocol;
    } coll;
    struct {
      const char *function;
      void *buffer;
      const char *datatype;
      size_t count;
      int peer;
      uint8_t channels;
    } p2p;
  };
};
using Init = int(void **, int *, const char *, uint64_t, int, int, int, void (*)());
#else
struct Descriptor {
  uint64_t type;
  void *parent;
  int rank;
  union {
    struct {
      bool captured;
      int depth;
    } group_api;
    struct {
      const char *function;
      size_t count;
      const char *datatype;
      int root;
      void *stream;
      bool captured;
    } coll_api;
    struct {
      const char *function;
      size_t count;
      const char *datatype;
      void *stream;
      bool captured;
    } p2p_api;
    struct {
      void *stream;
    } launch;
    struct {
      uint64_t sequence;
      const char *function;
      const void *send;
      void *receive;
      size_t count;
      int root;
      const char *datatype;
      uint8_t channels, warps;
      const char *algorithm, *protocol;
      void *group;
    } coll;
    struct {
      const char *function;
      void *buffer;
      const char *datatype;
      size_t count;
      int peer;
      uint8_t channels;
      void *group;
    } p2p;
    struct {
      uint64_t sequence;
      const char *function;
      const void *send;
      void *receive;
      size_t count;
      int root;
      const char *datatype, *strategy;
      bool intra;
      uint32_t size, batches, number;
      void *stream;
    } copy;
  };
};
using Init = int(void **, uint64_t, int *, const char *, int, int, int, void (*)());
#endif

struct Plugin {
  const char *name;
  Init *init;
  int (*start)(void *, void **, Descriptor *);
  int (*stop)(void *);
  int (*record)(void *, int, void *);
  int (*finalize)(void *);
};
} // namespace

#endif
