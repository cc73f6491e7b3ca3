// What a program with NCCL sees of the plug-in.
#ifndef WITHOUT_NCCL
#include "fake_nccl.h"
#endif

#include <cstdio>
#include <cstdlib>
#include <loopscope/hooks.h>

int main() {
  int version = 0;
  long called = 0;
  const char *home = getenv("HOME");
  {
    __LOOPSCOPE_SPAN(1, PHASE, "train", 1, "main");
#ifndef WITHOUT_NCCL
    fake_comm *comm = fake_comm_init(1, 2, 0, nullptr);
    fake_operation(comm, "AllReduce", 1000, "ncclFloat32", 0);
    version = fake_plugin_version();
    called = fake_plugin_calls();
#endif
  }
  const char *plugin = getenv("NCCL_PROFILER_PLUGIN");
  // The environment can still be changed.
  setenv("LATER", "1", 1);
  printf("NCCL_PROFILER_PLUGIN %s HOME %s, plugin %d called %s\n", plugin ? plugin : "unset",
         home && getenv("LATER") ? "kept" : "lost", version, called > 1 ? "yes" : "no");
}
