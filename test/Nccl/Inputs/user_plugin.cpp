// A user's plug-in, of version PLUGIN_VERSION (default FAKE_VERSION): when it is unloaded, writes each call
// with its arguments to the file USER_LOG. Communicators and events are numbered in order of appearance,
// so that two runs with the same calls write the same.
//
// USER_MASK: the events to request.  USER_NO_CONTEXT: communicators have no context.
// USER_FULL: every third event of each kind gets no handle.
#include "plugin.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#ifndef PLUGIN_VERSION
#define PLUGIN_VERSION FAKE_VERSION
#endif
#ifndef CONSTANT
#define CONSTANT
#endif

namespace {
struct Context {
  int number;
  int events;
  int kinds[16];
};
struct Event {
  Context *of;
  int number;
};

std::mutex lock;
std::vector<Context *> contexts;

// Sorted by context, so that the order of threads doesn't matter.
struct Log {
  std::vector<std::string> lines;
  ~Log() {
    FILE *file = fopen(getenv("USER_LOG"), "w");
    for (size_t of = 0; of <= contexts.size(); ++of)
      for (const std::string &each : lines)
        if (static_cast<size_t>(atoi(each.c_str())) == of)
          fprintf(file, "%s\n", each.c_str());
    fclose(file);
  }
} log;
Context nobody;

void note(const Context *of, const std::string &text) {
  log.lines.push_back(std::to_string(of->number) + " " + text);
}

std::string named(void *event) {
  if (event == nullptr)
    return "none";
  auto *known = static_cast<Event *>(event);
  return std::to_string(known->of->number) + "." + std::to_string(known->number);
}

int begin(void **context, int *mask, const char *name, uint64_t hash, int nodes, int ranks, int rank) {
  std::lock_guard<std::mutex> held(lock);
  bool had = *context != nullptr;
  auto *made = new Context();
  contexts.push_back(made);
  made->number = static_cast<int>(contexts.size());
  note(made, "init " + std::string(name == nullptr ? "-" : name) + " " + std::to_string(hash) + " " +
                 std::to_string(nodes) + " " + std::to_string(ranks) + " " + std::to_string(rank) +
                 " mask " + std::to_string(*mask) + (had ? " context" : ""));
  *mask = atoi(getenv("USER_MASK"));
  if (getenv("USER_NO_CONTEXT") == nullptr)
    *context = made;
  return 0;
}

#if PLUGIN_VERSION <= 3
int init(void **context, int *mask) { return begin(context, mask, nullptr, 0, 0, 0, 0); }
#elif PLUGIN_VERSION == 4
int init(void **context, int *mask, const char *name, uint64_t hash, int nodes, int ranks, int rank,
         void (*)()) {
  return begin(context, mask, name, hash, nodes, ranks, rank);
}
#else
int init(void **context, uint64_t hash, int *mask, const char *name, int nodes, int ranks, int rank,
         void (*)()) {
  return begin(context, mask, name, hash, nodes, ranks, rank);
}
#endif

int start(void *context, void **event, Descriptor *what) {
  std::lock_guard<std::mutex> held(lock);
  auto *of = context == nullptr ? &nobody : static_cast<Context *>(context);
  auto type = static_cast<unsigned>(what->type);
  std::string text = "start " + std::to_string(type) + " rank " + std::to_string(what->rank);
  // Without contexts, parents may belong to any thread.
  if (context != nullptr)
    text += " below " + named(what->parent);
  if (type == COLL)
    text += " " + std::string(what->coll.function) + " " + std::to_string(what->coll.count) + " " +
            what->coll.datatype + " " + std::to_string(what->coll.sequence);
  else if (type == P2P)
    text += " " + std::string(what->p2p.function) + " " + std::to_string(what->p2p.count);
  int kind = 0;
  while (type >> kind > 1)
    ++kind;
  if (getenv("USER_FULL") != nullptr && ++of->kinds[kind] % 3 == 0)
    text += ", full";
  else
    *event = new Event{of, ++of->events};
  note(of, text);
  return 0;
}

int stop(void *event) {
  std::lock_guard<std::mutex> held(lock);
  note(static_cast<Event *>(event)->of, "stop " + named(event));
  return 0;
}

int record(void *event, int, void *) {
  std::lock_guard<std::mutex> held(lock);
  note(static_cast<Event *>(event)->of, "record " + named(event));
  return 0;
}

int finalize(void *context) {
  std::lock_guard<std::mutex> held(lock);
  note(context == nullptr ? &nobody : static_cast<Context *>(context), "finalize");
  return 0;
}
} // namespace

#define JOINED_(A, B) A##B
#define JOINED(A, B) JOINED_(A, B)
extern "C" __attribute__((visibility("default"))) CONSTANT Plugin JOINED(ncclProfiler_v, PLUGIN_VERSION);
CONSTANT Plugin JOINED(ncclProfiler_v, PLUGIN_VERSION) = {"user", init, start, stop, record, finalize};
