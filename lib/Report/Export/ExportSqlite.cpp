// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profile as tables of a database.

#include "Report/Export/ExportSqlite.h"

#include "Analysis/Device/KernelRows.h"
#include "Analysis/Tree/Amounts.h"
#include "Analysis/Tree/DeviceNames.h"
#include "Run/Model/Stages.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <memory>

using namespace loopscope;

namespace {
// Times are whole nanoseconds where they are exact. Ids count from 0; a node's
// parent has a smaller id and is null for a thread's root.
const char *const Schema = R"(
create table run(path text, program text, command_line text,
  working_directory text, host text, options text, pid integer, rank integer,
  world_size integer, start_realtime_ns integer, wall_ns integer, ended text,
  end_code integer, warmup_steps integer);
create table thread(id integer primary key, name text, tid integer,
  is_main integer, users integer, lifetime_ns integer);
create table site(id integer primary key, kind text, name text, file text,
  line integer, function text);
create table node(id integer primary key, parent integer references node,
  thread integer references thread, site integer references site, kind text,
  is_warmup integer, is_open integer, calls integer, inclusive_ns integer,
  self_ns integer, hook_ns integer, mean_ns real, stddev_ns real, min_ns real,
  max_ns real, samples integer);
create table histogram(node integer references node, ns real, spans integer);
create table metric(id integer primary key, name text, unit text,
  device integer, device_name text);
create table metric_sum(metric integer references metric,
  node integer references node, samples integer, mean real, min real, max real);
create table gpu_device(id integer primary key, ordinal integer, name text,
  compute_major integer, compute_minor integer, multiprocessors integer,
  total_memory integer, start_ns integer, end_ns integer, busy_ns integer,
  kernel_ns integer, copy_ns integer, memory_peak integer,
  memory_at_end integer);
create table gpu_function(id integer primary key, name text);
create table gpu_work(node integer references node, device integer references
  gpu_device, function integer references gpu_function, kind text,
  direction integer, count integer, no_time integer, sum_ns integer,
  min_ns integer, max_ns integer, bytes integer, graph_count integer,
  shorter integer, queue_ns integer, blocks_per_sm real, occupancy real,
  made_in integer references node, busy_ns integer);
create table gpu_same_work(device integer references gpu_device,
  function integer references gpu_function, kind text, direction integer,
  busy_ns integer);
create table gpu_memory(node integer references node, device integer references
  gpu_device, kind integer, allocations integer, allocated_bytes integer,
  frees integer, freed_bytes integer, peak_bytes integer,
  held_at_peak integer);
create table gpu_union(node integer references node, device integer references
  gpu_device, busy_ns integer, kernel_ns integer, idle_ns integer);
create table gpu_overlap(id integer primary key, device integer references
  gpu_device, ns integer, has_more integer);
create table gpu_overlap_node(overlap integer references gpu_overlap,
  node integer references node, has_kernels integer);
create table message(node integer references node, role text, peer integer,
  calls integer, bytes integer);
create table request(node integer references node, count integer, ns integer);
create table gpu_wait(waiter integer references node, worker integer references
  node, ns integer);
create table gpu_calls(node integer references node, launches integer,
  launch_ns integer, waits integer, wait_ns integer, others integer,
  other_ns integer);
create table gpu_event(kind text, node integer references node, function integer
  references gpu_function, device integer references gpu_device, thread integer
  references thread, context integer, stream integer, correlation integer,
  start_ns integer, end_ns integer, direction integer, bytes integer,
  graph integer, graph_node integer, made_in integer references node);
create table cpu(node integer references node, measured_ns integer,
  cpu_ns integer, off_cpu_ns integer, starved_ns integer,
  starved_measured_ns integer, minor_faults integer,
  major_faults integer, voluntary_switches integer,
  involuntary_switches integer);
create table fact(name text, value);
create table node_key(node integer references node, label text, value);
create table amount(node integer references node, name text, sum real,
  spans integer, peak_per_s real, peak_devices real);
create table range_sum(id integer primary key, name text, ended integer,
  total_ns integer, min_ns integer, max_ns integer, open integer,
  open_ns integer, ended_again integer);
create table range_span(range integer references range_sum, start_ns integer,
  end_ns integer, is_open integer);
create table span(node integer references node, thread integer references
  thread, start_ns integer, end_ns integer, step integer, is_open integer);
create view phase as
  select site.name as name, sum(calls) as calls,
    sum(inclusive_ns) / 1e9 as total_s, sum(self_ns) / 1e9 as self_s
  from node join site on site.id = node.site
  where node.kind in ('phase', 'wait') group by site.name order by total_s desc;
)";

struct CloseDatabase {
  void operator()(sqlite3 *D) const { sqlite3_close(D); }
};
struct Finalize {
  void operator()(sqlite3_stmt *S) const { sqlite3_finalize(S); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

void bind(sqlite3_stmt *S, int At, const std::string &V) {
  sqlite3_bind_text(S, At, V.data(), static_cast<int>(V.size()),
                    SQLITE_TRANSIENT);
}
void bind(sqlite3_stmt *S, int At, int64_t V) { sqlite3_bind_int64(S, At, V); }
void bind(sqlite3_stmt *S, int At, double V) { sqlite3_bind_double(S, At, V); }

// An index, stored as null if it is missing.
struct Index {
  uint32_t Value;
};
void bind(sqlite3_stmt *S, int At, Index V) {
  if (V.Value == None)
    sqlite3_bind_null(S, At);
  else
    sqlite3_bind_int64(S, At, V.Value);
}

// A count, stored as null if it is missing (negative).
struct Number {
  int64_t Value;
};
void bind(sqlite3_stmt *S, int At, Number V) {
  if (V.Value < 0)
    sqlite3_bind_null(S, At);
  else
    sqlite3_bind_int64(S, At, V.Value);
}

// Inserts into one table, prepared once. Errors stay with the database.
class Inserter {
public:
  Inserter(sqlite3 *D, const std::string &Into, int Columns) {
    std::string Sql = "insert into " + Into + " values(?";
    for (int I = 1; I < Columns; ++I)
      Sql += ",?";
    sqlite3_stmt *Prepared = nullptr;
    sqlite3_prepare_v2(D, (Sql + ")").c_str(), -1, &Prepared, nullptr);
    Statement.reset(Prepared);
  }
  // False if the row couldn't be written.
  template <typename... Values> bool add(const Values &...V) {
    int At = 0;
    (bind(Statement.get(), ++At, V), ...);
    bool Done = sqlite3_step(Statement.get()) == SQLITE_DONE;
    sqlite3_reset(Statement.get());
    return Done;
  }

private:
  std::unique_ptr<sqlite3_stmt, Finalize> Statement;
};

const char *endWord(End Ended) {
  switch (Ended) {
  case End::Running:
    return "running";
  case End::Exited:
    return "exited";
  case End::Signal:
    return "signal";
  case End::Gone:
    return "gone";
  case End::Reset:
    return "reset";
  }
  return "unknown";
}

// False at the first row that couldn't be written.
bool addDevices(sqlite3 *D, const Run &R) {
  Inserter MetricRows(D, "metric", 5);
  Inserter SumRows(D, "metric_sum", 6);
  bool Good = true;
  for (size_t I = 0; I < R.Devices.Metrics.size() && Good; ++I) {
    const Metric &M = R.Devices.Metrics[I];
    Good = MetricRows.add(static_cast<int64_t>(I), M.Name,
                          std::string(unitName(M.Unit)), Index{M.Device},
                          M.DeviceName);
  }
  for (const MetricSum &S : R.Devices.Sums)
    Good =
        Good && SumRows.add(int64_t{S.Metric}, Index{S.Node},
                            static_cast<int64_t>(S.Count),
                            S.Sum / static_cast<double>(S.Count), S.Min, S.Max);
  return Good;
}

// A mean weighted by duration; negative if unknown.
double weighted(double Sum, double Time) { return Time > 0 ? Sum / Time : -1; }

bool addGpuWork(sqlite3 *D, const Run &R) {
  const GpuData &G = R.Gpu;
  Inserter DeviceRows(D, "gpu_device", 14);
  Inserter FunctionRows(D, "gpu_function", 2);
  Inserter WorkRows(D, "gpu_work", 18);
  Inserter SameWorkRows(D, "gpu_same_work", 5);
  Inserter MemoryRows(D, "gpu_memory", 9);
  bool Good = true;
  for (size_t I = 0; I < G.Devices.size() && Good; ++I) {
    const GpuDevice &Each = G.Devices[I];
    Good =
        DeviceRows.add(static_cast<int64_t>(I), int64_t{Each.Id}, Each.Name,
                       int64_t{Each.ComputeMajor}, int64_t{Each.ComputeMinor},
                       int64_t{Each.Multiprocessors}, Each.TotalMemory,
                       Each.StartNs, Each.EndNs, Each.BusyNs, Each.KernelNs,
                       Each.CopyNs, static_cast<int64_t>(Each.MemoryPeak),
                       static_cast<int64_t>(Each.MemoryNow));
  }
  for (size_t I = 0; I < G.Functions.size() && Good; ++I)
    Good =
        FunctionRows.add(static_cast<int64_t>(I), kernelName(G.Functions[I]));
  for (size_t I = 0; I < G.Work.size() && Good; ++I) {
    const GpuWork &W = G.Work[I];
    Good = WorkRows.add(
        Index{W.Node}, int64_t{W.Device}, Index{W.Function},
        std::string(gpuKindWord(W.Kind)), int64_t{W.Direction},
        static_cast<int64_t>(W.Count), static_cast<int64_t>(W.NoTime), W.SumNs,
        W.MinNs, W.MaxNs, static_cast<int64_t>(W.Bytes),
        static_cast<int64_t>(W.GraphCount), static_cast<int64_t>(W.Shorter),
        W.QueueNs, weighted(W.BlocksPerSmNs, static_cast<double>(W.SumNs)),
        weighted(W.OccupancyNs, W.OccupancyKnownNs), Index{W.MadeIn},
        Number{W.BusyNs});
  }
  for (size_t I = 0; I < G.SameWork.size() && Good; ++I) {
    const auto &[Name, BusyNs] = G.SameWork[I];
    Good = SameWorkRows.add(int64_t{Name.Device}, Index{Name.Function},
                            std::string(gpuKindWord(Name.Kind)),
                            int64_t{Name.Direction}, BusyNs);
  }
  for (size_t I = 0; I < G.Memory.size() && Good; ++I) {
    const GpuMemory &M = G.Memory[I];
    Good = MemoryRows.add(
        Index{M.Node}, Index{M.Device}, int64_t{M.Kind},
        static_cast<int64_t>(M.Allocations),
        static_cast<int64_t>(M.AllocatedBytes), static_cast<int64_t>(M.Frees),
        static_cast<int64_t>(M.FreedBytes), static_cast<int64_t>(M.PeakBytes),
        static_cast<int64_t>(M.HeldAtPeak));
  }
  return Good;
}

bool addGpuNodes(sqlite3 *D, const Run &R) {
  Inserter UnionRows(D, "gpu_union", 5);
  Inserter OverlapRows(D, "gpu_overlap", 4);
  Inserter MemberRows(D, "gpu_overlap_node", 3);
  Inserter WaitRows(D, "gpu_wait", 3);
  Inserter CallRows(D, "gpu_calls", 7);
  bool Good = true;
  for (size_t I = 0; I < R.Gpu.Nodes.size() && Good; ++I) {
    const GpuNode &N = R.Gpu.Nodes[I];
    Good = UnionRows.add(Index{N.Node}, int64_t{N.Device}, N.BusyNs, N.KernelNs,
                         N.IdleNs);
  }
  for (size_t I = 0; I < R.Gpu.Overlaps.size() && Good; ++I) {
    const GpuOverlap &O = R.Gpu.Overlaps[I];
    auto Id = static_cast<int64_t>(I);
    Good = OverlapRows.add(Id, int64_t{O.Device}, O.Ns, int64_t{O.HasMore});
    for (const GpuOverlap::Member &M : O.Members)
      Good = Good && MemberRows.add(Id, Index{M.Node}, int64_t{M.HasKernels});
  }
  for (size_t I = 0; I < R.Gpu.Waits.size() && Good; ++I)
    Good = WaitRows.add(int64_t{R.Gpu.Waits[I].Waiter},
                        Index{R.Gpu.Waits[I].Worker}, R.Gpu.Waits[I].Ns);
  for (size_t I = 0; I < R.Nodes.size() && Good; ++I) {
    const GpuCalls &C = R.Nodes[I].Calls;
    if (C.Launches != 0 || C.Waits != 0 || C.Others != 0)
      Good = CallRows.add(static_cast<int64_t>(I),
                          static_cast<int64_t>(C.Launches), C.LaunchNs,
                          static_cast<int64_t>(C.Waits), C.WaitNs,
                          static_cast<int64_t>(C.Others), C.OtherNs);
  }
  return Good;
}

bool addGpuEvents(sqlite3 *D, const Run &R) {
  Inserter Rows(D, "gpu_event", 15);
  bool Good = true;
  for (size_t I = 0; I < R.Gpu.Events.size() && Good; ++I) {
    const GpuEvent &E = R.Gpu.Events[I];
    Good = Rows.add(
        std::string(gpuKindWord(E.Kind)), Index{E.Node}, Index{E.Function},
        Index{E.Device}, Index{E.Thread}, int64_t{E.Context}, int64_t{E.Stream},
        int64_t{E.Correlation}, E.StartNs, E.EndNs, int64_t{E.Direction},
        static_cast<int64_t>(E.Bytes), int64_t{E.Graph},
        static_cast<int64_t>(E.GraphNode), Index{E.MadeIn});
  }
  return Good;
}

// The timeline. A span's step is the number of a step within its loop, and null
// for all others.
bool addSpans(sqlite3 *D, const Run &R) {
  Inserter Rows(D, "span", 6);
  bool Good = true;
  for (size_t T = 0; T < R.Timeline.size(); ++T)
    for (const TimelineSpan &S : R.Timeline[T])
      Good = Good && Rows.add(Index{S.Node}, static_cast<int64_t>(T), S.StartNs,
                              S.EndNs, Number{S.Step}, int64_t{S.Open});
  return Good;
}

// For the nodes that were measured.
bool addCpu(sqlite3 *D, const Run &R) {
  Inserter Rows(D, "cpu", 10);
  bool Good = true;
  for (size_t I = 0; I < R.Nodes.size() && Good; ++I) {
    const CpuSums &C = R.Nodes[I].Cpu;
    if (C.MeasuredNs == 0)
      continue;
    Good = Rows.add(static_cast<int64_t>(I), C.MeasuredNs, C.CpuNs,
                    C.offCpuNs(), Number{C.hasStarved() ? C.StarvedNs : -1},
                    Number{C.hasStarved() ? C.StarvedOfNs : -1},
                    static_cast<int64_t>(C.MinorFaults),
                    static_cast<int64_t>(C.MajorFaults),
                    static_cast<int64_t>(C.VoluntarySwitches),
                    static_cast<int64_t>(C.InvoluntarySwitches));
  }
  return Good;
}

// In a column without a type, as the program gave it. SQLite's integers are
// signed; a larger number is a text, which loses nothing.
bool addFact(Inserter &To, const std::string &Name, const FactValue &Value) {
  if (const auto *Whole = std::get_if<int64_t>(&Value))
    return To.add(Name, *Whole);
  if (const auto *Unsigned = std::get_if<uint64_t>(&Value);
      Unsigned && *Unsigned <= INT64_MAX)
    return To.add(Name, static_cast<int64_t>(*Unsigned));
  if (const auto *Real = std::get_if<double>(&Value))
    return To.add(Name, *Real);
  if (const auto *Flag = std::get_if<bool>(&Value))
    return To.add(Name, int64_t{*Flag});
  if (const auto *Text = std::get_if<std::string>(&Value))
    return To.add(Name, *Text);
  return To.add(Name, factText(Value));
}

bool addFacts(sqlite3 *D, const Run &R) {
  Inserter Rows(D, "fact", 2);
  return std::ranges::all_of(R.Facts, [&](const RunFact &Each) {
    return std::ranges::all_of(Each.Values, [&](const RunFact::Said &Said) {
      return addFact(Rows, Each.Name, Said.Value);
    });
  });
}

// Numbers as numbers; ranges, texts and enumerators as reports show them.
bool addKeys(sqlite3 *D, const Run &R) {
  Inserter Rows(D, "node_key", 3);
  bool Good = true;
  for (size_t I = 0; I < R.Nodes.size() && Good; ++I) {
    if (R.Nodes[I].Key == None)
      continue;
    const SpanKey &Key = R.Keys[R.Nodes[I].Key];
    auto Id = static_cast<int64_t>(I), Value = static_cast<int64_t>(Key.Value);
    bool IsNumber =
        Key.Text.empty() &&
        (Key.Type == LOOPSCOPE_KEY_SIGNED || Key.Type == LOOPSCOPE_KEY_BOOL ||
         (Key.Type == LOOPSCOPE_KEY_UNSIGNED && Value >= 0));
    Good = IsNumber ? Rows.add(Id, Key.Label, Value)
                    : Rows.add(Id, Key.Label, keyText(Key));
  }
  return Good;
}

bool addRanges(sqlite3 *D, const Run &R) {
  Inserter Rows(D, "range_sum", 9);
  Inserter SpanRows(D, "range_span", 4);
  int64_t Id = 0;
  return std::ranges::all_of(
             R.Ranges,
             [&](const RangeSum &Given) {
               bool HasEnded = Given.Count != 0;
               return Rows.add(Id++, Given.Name,
                               static_cast<int64_t>(Given.Count), Given.Ns,
                               Number{HasEnded ? Given.MinNs : -1},
                               Number{HasEnded ? Given.MaxNs : -1},
                               static_cast<int64_t>(Given.Open), Given.OpenNs,
                               static_cast<int64_t>(Given.EndedAgain));
             }) &&
         std::ranges::all_of(R.RangeSpans, [&](const RangeSpan &S) {
           return SpanRows.add(int64_t{S.Range}, S.StartNs, S.EndNs,
                               int64_t{S.Open});
         });
}

// For the nodes that give some. Only floating-point operations have a peak.
bool addAmounts(sqlite3 *D, const Run &R) {
  Inserter Rows(D, "amount", 6);
  FlopsPeak Peak = flopsPeak(R);
  bool Good = true;
  for (size_t I = 0; I < R.Nodes.size(); ++I)
    for (const SpanAmountRow &Row : SpanAmounts) {
      const GivenAmount &Given = R.Nodes[I].Amounts[Row.Which];
      bool HasPeak = Row.Which == SpanAmount::Flops;
      if (Given.Spans != 0)
        Good = Good && Rows.add(static_cast<int64_t>(I), std::string(Row.Name),
                                Given.Sum, static_cast<int64_t>(Given.Spans),
                                HasPeak ? Peak.FlopsPerSecond : 0,
                                HasPeak ? Peak.Devices : 0);
    }
  return Good;
}

const char *roleWord(loopscope_peer_role Role) {
  return Role == LOOPSCOPE_PEER_TO     ? "to"
         : Role == LOOPSCOPE_PEER_FROM ? "from"
                                       : "root";
}

bool addMessages(sqlite3 *D, const Run &R) {
  Inserter MessageRows(D, "message", 5);
  Inserter RequestRows(D, "request", 3);
  bool Good = true;
  for (size_t I = 0; I < R.Peers.size() && Good; ++I) {
    const PeerSum &Each = R.Peers[I];
    Good = MessageRows.add(Index{Each.Node}, std::string(roleWord(Each.Role)),
                           int64_t{Each.Peer}, static_cast<int64_t>(Each.Calls),
                           static_cast<int64_t>(Each.Bytes));
  }
  for (size_t I = 0; I < R.Nodes.size() && Good; ++I)
    if (const Node &N = R.Nodes[I]; N.Requests != 0)
      Good = RequestRows.add(static_cast<int64_t>(I),
                             static_cast<int64_t>(N.Requests), N.RequestNs);
  return Good;
}

// False at the first row that couldn't be written.
bool addRun(sqlite3 *D, const Run &R) {
  Inserter RunRows(D, "run", 14);
  Inserter ThreadRows(D, "thread", 6);
  Inserter SiteRows(D, "site", 6);
  Inserter NodeRows(D, "node", 16);
  Inserter HistogramRows(D, "histogram", 3);
  bool Good =
      RunRows.add(R.Path, R.Program, R.CommandLine, R.WorkingDirectory, R.Host,
                  R.Options, int64_t{R.Pid}, R.Rank, R.WorldSize,
                  R.StartRealtimeNs, R.WallNs, std::string(endWord(R.Ended)),
                  int64_t{R.EndCode}, int64_t{R.WarmupSteps});
  for (size_t I = 0; I < R.Threads.size() && Good; ++I) {
    const Thread &T = R.Threads[I];
    Good = ThreadRows.add(static_cast<int64_t>(I), T.Name, T.Tid,
                          int64_t{T.IsMain}, int64_t{T.Users}, T.LifetimeNs);
  }
  for (size_t I = 0; I < R.Sites.size() && Good; ++I) {
    const Site &S = R.Sites[I];
    Good = SiteRows.add(static_cast<int64_t>(I), std::string(kindWord(S.Kind)),
                        S.Name, S.File, int64_t{S.Line}, S.Function);
  }
  for (size_t I = 0; I < R.Nodes.size() && Good; ++I) {
    const Node &N = R.Nodes[I];
    auto Id = static_cast<int64_t>(I);
    Good = NodeRows.add(Id, Index{N.Parent}, int64_t{N.Thread}, Index{N.Site},
                        std::string(kindWord(N.Kind)), int64_t{N.Warmup},
                        int64_t{N.Open}, static_cast<int64_t>(N.Spans.count()),
                        N.InclusiveNs, N.SelfNs, N.HookNs, N.Spans.meanNs(),
                        N.Spans.deviationNs(), N.Spans.minNs(), N.Spans.maxNs(),
                        static_cast<int64_t>(N.Samples));
    for (const Bucket &B : N.Spans.distribution())
      Good =
          Good && HistogramRows.add(Id, B.ns(), static_cast<int64_t>(B.Count));
  }
  return Good && addFacts(D, R) && addKeys(D, R) && addCpu(D, R) &&
         addAmounts(D, R) && addRanges(D, R) && addDevices(D, R) &&
         addMessages(D, R);
}
} // namespace

Result<std::string> loopscope::exportSqlite(const Run &R) {
  sqlite3 *Opened = nullptr;
  int Status = sqlite3_open(":memory:", &Opened);
  Database D(Opened);
  auto Run = [&D](const char *Sql) {
    return sqlite3_exec(D.get(), Sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  };
  if (Status != SQLITE_OK || !Run("begin") || !Run(Schema) ||
      !addRun(D.get(), R) || !addGpuWork(D.get(), R) ||
      !addGpuNodes(D.get(), R) || !addGpuEvents(D.get(), R) ||
      !addSpans(D.get(), R) || !Run("commit"))
    return Error{fmt::format("{}: SQLite can't hold it: {}", R.Path,
                             sqlite3_errmsg(D.get()))};
  sqlite3_int64 Size = 0;
  std::unique_ptr<unsigned char, void (*)(void *)> Bytes(
      sqlite3_serialize(D.get(), "main", &Size, 0), sqlite3_free);
  if (!Bytes)
    return Error{fmt::format("{}: SQLite ran out of memory", R.Path)};
  return std::string(reinterpret_cast<const char *>(Bytes.get()),
                     static_cast<size_t>(Size));
}
