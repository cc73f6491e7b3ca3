// A library that calls a profiler plug-in like NCCL: it looks for one in the same places, with the
// newest version that it knows (FAKE_VERSION), fills in the same fields, and calls the functions
// under the same conditions in the same order. Written from the headers of the versions.
// With FAKE_CUDA, one kernel runs the operations of a group.
#include "fake_nccl.h"
#include "plugin.h"

#include <dlfcn.h>
#include <pthread.h>
#include <strings.h>
#include <sys/types.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#ifdef FAKE_CUDA
#include "fake_cuda.h"
#endif

// As returned by ncclGetVersion.
#ifndef NCCL_CODE
#define NCCL_CODE (FAKE_VERSION == 6 ? 22907 : FAKE_VERSION == 4 ? 22707 : 22200 + FAKE_VERSION * 200)
#endif

namespace {
struct Task {
  std::string function, type;
  size_t count;
  int other;
  void *api; // handle
};
} // namespace

struct fake_comm {
  uint64_t hash;
  int ranks, rank;
  std::string name;
  void *context;
  uint64_t sequence[16];
  std::vector<Task> tasks;
#ifdef FAKE_CUDA
  cudaStream_t stream;
#endif
};

namespace {
const char *const functions[] = {"Broadcast", "Reduce",   "AllGather", "ReduceScatter",
                                 "AllReduce", "SendRecv", "Send",      "Recv",
                                 "AlltoAll",  "Scatter",  "Gather"};
const char *const types[] = {"ncclInt8",    "ncclInt32",   "ncclUint32",  "ncclInt64",
                             "ncclUint64",  "ncclFloat16", "ncclFloat32", "ncclFloat64",
                             "ncclBfloat16", "ncclFloat8e4m3", "ncclFloat9"};
// NCCL's strings are static.
template <size_t N> const char *stored(const char *const (&list)[N], const std::string &text) {
  for (const char *each : list)
    if (text == each)
      return each;
  return "Unknown";
}

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
void *library;
Plugin *plugin;
int users, status, mask;
long calls;

thread_local int depth;
thread_local std::vector<fake_comm *> group;
thread_local void *group_api;
thread_local bool in_group_api;

// Adds variables that are set there but not in the environment.
void read_configuration(const char *path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (size_t equals = line.find('='); line[0] != '#' && equals != line.npos)
      setenv(line.substr(0, equals).c_str(), line.substr(equals + 1).c_str(), 0);
}

// The folder of plug-ins, or a name; STATIC_PLUGIN means the program.
void *open_plugin() {
  if (const char *given = getenv("NCCL_CONF_FILE"); given != nullptr && *given != 0)
    read_configuration(given);
  else if (const char *home = getenv("HOME"))
    read_configuration((std::string(home) + "/.nccl.conf").c_str());
  const char *name = getenv("NCCL_PROFILER_PLUGIN");
  if (name == nullptr || *name == 0)
    name = "libnccl-profiler.so";
  if (strcasecmp(name, "none") == 0)
    return nullptr;
  if (strncasecmp(name, "STATIC_PLUGIN", strlen(name)) == 0)
    return dlopen(nullptr, RTLD_NOW | RTLD_LOCAL);
  void *found = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (found == nullptr && strchr(name, '/') == nullptr)
    found = dlopen((std::string("libnccl-profiler-") + name + ".so").c_str(),
                   RTLD_NOW | RTLD_LOCAL);
  return found;
}

void load_plugin() {
  pthread_mutex_lock(&mutex);
  if (status == 1) {
    ++users;
  } else if (status == 0) {
    library = open_plugin();
    for (int version = FAKE_VERSION; version >= (FAKE_VERSION == 6 ? 5 : FAKE_VERSION); --version)
      if (library != nullptr && plugin == nullptr)
        plugin = static_cast<Plugin *>(
            dlsym(library, ("ncclProfiler_v" + std::to_string(version)).c_str()));
    status = plugin == nullptr ? -1 : 1;
    users = 1;
  }
  pthread_mutex_unlock(&mutex);
}

void *start(fake_comm *comm, Descriptor &event) {
  void *handle = nullptr;
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  plugin->start(comm->context, &handle, &event);
  return handle;
}

void stop(void *handle) {
  if (plugin == nullptr || handle == nullptr)
    return;
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
  plugin->stop(handle);
}

// Bytes that nobody fills in are all ones.
Descriptor event(int type, void *parent, int rank) {
  Descriptor made;
  memset(&made, 0xff, sizeof made);
  made.type = type;
  made.parent = parent;
  made.rank = rank;
  return made;
}

bool is_p2p(const Task &task) { return task.function == "Send" || task.function == "Recv"; }

void *start_task(fake_comm *comm, const Task &task, void *plan) {
  const char *function = stored(functions, task.function);
  const char *type = stored(types, task.type);
  if (is_p2p(task)) {
    if ((mask & (P2P | PROXY_OP | PROXY_STEP | KERNEL_CH | NET_PLUGIN)) == 0)
      return nullptr;
    Descriptor made = event(P2P, plan, comm->rank);
#if FAKE_VERSION <= 3
    made.p2p.name = comm->name.empty() ? nullptr : comm->name.c_str();
    made.p2p.hash = comm->hash;
#elif FAKE_VERSION == 6
    made.parent = task.api;
    made.p2p.group = plan;
#endif
    made.p2p.function = function;
    made.p2p.datatype = type;
    made.p2p.count = task.count;
    made.p2p.peer = task.other;
    return start(comm, made);
  }
  uint64_t &sequence = comm->sequence[std::hash<std::string>()(task.function) % 16];
#if FAKE_VERSION == 6
  if (task.function == "AlltoAll") { // copy engines run it
    if ((mask & (CE_COLL | CE_REST)) == 0)
      return nullptr;
    Descriptor made = event(CE_COLL, task.api, comm->rank);
    made.copy.sequence = sequence++;
    made.copy.function = function;
    made.copy.count = task.count;
    made.copy.datatype = type;
    return start(comm, made);
  }
#endif
  void *handle = nullptr;
  if ((mask & (COLL | PROXY_OP | PROXY_STEP | KERNEL_CH | NET_PLUGIN)) != 0) {
    Descriptor made = event(COLL, plan, comm->rank);
#if FAKE_VERSION <= 3
    made.coll.name = comm->name.empty() ? nullptr : comm->name.c_str();
    made.coll.hash = comm->hash;
#elif FAKE_VERSION == 6
    made.parent = task.api;
    made.coll.group = plan;
#endif
    made.coll.sequence = sequence;
    made.coll.function = function;
    made.coll.count = task.count;
    made.coll.root = task.other;
    made.coll.datatype = type;
    made.coll.algorithm = "RING";
    made.coll.protocol = "LL";
    handle = start(comm, made);
  }
  ++sequence;
  return handle;
}

void launch(const fake_comm *comm) {
#ifdef FAKE_CUDA
  // Mangled, as in CUPTI; a group's kernel is named after its first operation.
  std::string plain = is_p2p(comm->tasks[0]) ? "ncclDevKernel_SendRecv"
                                             : "ncclDevKernel_" + comm->tasks[0].function +
                                                   "_Sum_f32_RING_LL";
  static std::vector<std::string *> names;
  std::string mangled = "_Z" + std::to_string(plain.size()) + plain +
                        "24ncclDevKernelArgsStorageILm4096EE";
  pthread_mutex_lock(&mutex);
  const char *kept = nullptr;
  for (std::string *each : names)
    if (*each == mangled)
      kept = each->c_str();
  if (kept == nullptr) {
    names.push_back(new std::string(mangled));
    kept = names.back()->c_str();
  }
  pthread_mutex_unlock(&mutex);
  dim3 grid = {24, 1, 1}, block = {512, 1, 1};
  cudaLaunchKernel(kept, grid, block, nullptr, 0, comm->stream);
#else
  (void)comm;
#endif
}

// A communicator's operations in one kernel, which NCCL calls a plan.
void run_plan(fake_comm *comm) {
  if (comm->tasks.empty())
    return;
  void *launched = nullptr;
#if FAKE_VERSION == 6
  if (plugin != nullptr && (mask & KERNEL_LAUNCH) != 0) {
    Descriptor made = event(KERNEL_LAUNCH, group_api, comm->rank);
    made.launch.stream = nullptr;
    launched = start(comm, made);
  }
#endif
  launch(comm);
  stop(launched);
  if (plugin != nullptr) {
    void *plan = nullptr;
    if ((mask & (GROUP | COLL | P2P | PROXY_OP | PROXY_STEP | KERNEL_CH | NET_PLUGIN)) != 0) {
      Descriptor made = event(GROUP, nullptr, comm->rank);
      plan = start(comm, made);
    }
    std::vector<void *> handles;
    for (const Task &task : comm->tasks)
      if (FAKE_VERSION > 2 || plan != nullptr)
        handles.push_back(start_task(comm, task, plan));
    for (void *handle : handles)
      stop(handle);
    stop(plan);
  }
  comm->tasks.clear();
}
} // namespace

fake_comm *fake_comm_init(uint64_t hash, int ranks, int rank, const char *name) {
  auto *comm = new fake_comm();
  comm->hash = hash;
  comm->ranks = ranks;
  comm->rank = rank;
  comm->name = name == nullptr ? "" : name;
#ifdef FAKE_CUDA
  cudaStreamCreate(&comm->stream);
#endif
  load_plugin();
  if (plugin == nullptr)
    return comm;
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
#if FAKE_VERSION <= 3
  int failed = plugin->init(&comm->context, &mask);
#elif FAKE_VERSION == 4
  int failed = plugin->init(&comm->context, &mask, name, hash, 1, ranks, rank, nullptr);
#else
  int failed = plugin->init(&comm->context, hash, &mask, name, 1, ranks, rank, nullptr);
#endif
  if (failed != 0) {
    comm->context = nullptr; // the last user's failure unloads the plug-in
    pthread_mutex_lock(&mutex);
    if (--users == 0) {
      plugin = nullptr;
      status = 0;
    }
    pthread_mutex_unlock(&mutex);
  }
  return comm;
}

void fake_comm_destroy(fake_comm *comm) {
  if (plugin != nullptr && (NCCL_CODE < 22800 || comm->context != nullptr))
    plugin->finalize(comm->context);
  pthread_mutex_lock(&mutex);
  if (status == 1 && --users == 0) {
    dlclose(library);
    plugin = nullptr;
    status = 0;
  }
  pthread_mutex_unlock(&mutex);
  delete comm;
}

void fake_group_start() { ++depth; }

void fake_group_end() {
  if (--depth != 0)
    return;
  for (fake_comm *comm : group)
    run_plan(comm);
  group.clear();
  stop(group_api);
  group_api = nullptr;
  in_group_api = false;
}

void fake_operation(fake_comm *comm, const char *function, size_t count, const char *type,
                    int other) {
  fake_group_start();
  Task task = {function, type, count, other, nullptr};
#if FAKE_VERSION == 6
  constexpr int below = PROXY_OP | PROXY_STEP | KERNEL_CH | NET_PLUGIN;
  if (plugin != nullptr && (mask & ~PROXY_CONTROL) != 0 && !in_group_api) {
    in_group_api = true;
    Descriptor made = event(GROUP_API, nullptr, 0);
    made.group_api.captured = false;
    made.group_api.depth = depth;
    group_api = start(comm, made);
  }
  int api = is_p2p(task) ? P2P_API | P2P | below : COLL_API | COLL | below | CE_COLL | CE_REST;
  if (plugin != nullptr && (mask & api) != 0) {
    Descriptor made = event(is_p2p(task) ? P2P_API : COLL_API, group_api, 0);
    made.coll_api.function = stored(functions, function);
    made.coll_api.count = count;
    made.coll_api.datatype = stored(types, type);
    task.api = start(comm, made);
  }
#endif
  comm->tasks.push_back(task);
  bool known = false;
  for (fake_comm *each : group)
    known |= each == comm;
  if (!known)
    group.push_back(comm);
  stop(task.api);
  fake_group_end();
}

int fake_plugin_version() { return plugin == nullptr ? 0 : FAKE_VERSION; }
long fake_plugin_calls() { return calls; }

// Defined in programs that link NCCL.
extern "C" int ncclGetVersion(int *version) {
  *version = NCCL_CODE;
  return 0;
}
