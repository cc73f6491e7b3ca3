// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns GPU lines into records.

#include "GpuDescription.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace {
__extension__ typedef unsigned __int128 Wide;

double real(const std::string &Text) {
  return std::strtod(Text.c_str(), nullptr);
}

std::vector<std::string> split(const std::string &Text, char At) {
  std::vector<std::string> Parts;
  std::istringstream Items(Text);
  for (std::string Item; std::getline(Items, Item, At);)
    Parts.push_back(Item);
  return Parts;
}

const std::map<std::string, uint16_t> Directions = {
    {"htod", LOOPSCOPE_GPU_HOST_TO_DEVICE},
    {"dtoh", LOOPSCOPE_GPU_DEVICE_TO_HOST},
    {"dtod", LOOPSCOPE_GPU_DEVICE_TO_DEVICE},
    {"htoh", LOOPSCOPE_GPU_HOST_TO_HOST},
    {"ptop", LOOPSCOPE_GPU_PEER_TO_PEER},
    {"other", LOOPSCOPE_GPU_OTHER_DIRECTION}};
const std::map<std::string, uint16_t> EventKinds = {
    {"kernel", LOOPSCOPE_GPU_KERNEL},    {"copy", LOOPSCOPE_GPU_COPY},
    {"set", LOOPSCOPE_GPU_SET},          {"launch", LOOPSCOPE_GPU_LAUNCH_CALL},
    {"wait", LOOPSCOPE_GPU_WAIT_CALL},   {"call", LOOPSCOPE_GPU_OTHER_CALL},
    {"overhead", LOOPSCOPE_GPU_OVERHEAD}};

uint16_t directionOf(const std::string &Word, const DescriptionContext &C) {
  auto Found = Directions.find(Word);
  if (Found == Directions.end())
    C.Die("unknown direction " + Word);
  return Found->second;
}

// Calls SET(key, value) for each KEY=VALUE, which returns false for an unknown
// key; and NAME for words without "=".
template <typename Set, typename Name>
void forEachKey(std::istringstream &Words, const DescriptionContext &C, Set Key,
                Name Plain) {
  for (std::string Word; Words >> Word;) {
    size_t Equals = Word.find('=');
    if (Equals == std::string::npos)
      Plain(Word);
    else if (!Key(Word.substr(0, Equals), Word.substr(Equals + 1)))
      C.Die("unknown key " + Word);
  }
}

void addSpans(loopscope_gpu_work &W, const std::string &List,
              const DescriptionContext &C) {
  Wide Squares = 0;
  W.min_ticks = UINT64_MAX;
  for (const std::string &Item : split(List, ',')) {
    size_t Times = Item.find('x');
    bool HasCount = Times != std::string::npos;
    uint64_t Count = HasCount ? C.Number(Item.substr(0, Times)) : 1;
    uint64_t Ticks = C.Duration(HasCount ? Item.substr(Times + 1) : Item);
    W.count += Count;
    W.sum_ticks += Count * Ticks;
    Squares += static_cast<Wide>(Ticks) * Ticks * Count;
    W.min_ticks = std::min(W.min_ticks, Ticks);
    W.max_ticks = std::max(W.max_ticks, Ticks);
  }
  W.square_low = static_cast<uint64_t>(Squares);
  W.square_high = static_cast<uint64_t>(Squares >> 64);
}
} // namespace

uint32_t GpuDescription::functionOf(const std::string &Name) {
  if (Name == "-")
    return LOOPSCOPE_NONE;
  auto Found = std::find(FunctionNames.begin(), FunctionNames.end(), Name);
  auto Index = static_cast<uint32_t>(Found - FunctionNames.begin());
  if (Found == FunctionNames.end()) {
    FunctionNames.push_back(Name);
    Functions.push_back({});
  }
  return Index;
}

void GpuDescription::readHeader(std::istringstream &Words,
                                const DescriptionContext &C) {
  loopscope_profile_header &H = *C.Header;
  auto Set = [&](const std::string &Key, const std::string &Value) {
    if (Key == "cupti")
      H.cupti_version = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "launches")
      H.gpu_launches = C.Number(Value);
    else if (Key == "records")
      H.gpu_records = C.Number(Value);
    else if (Key == "cost")
      H.gpu_cost_ticks = C.Duration(Value);
    else if (Key == "start")
      H.gpu_start_ticks = C.StartTicks + C.Duration(Value);
    else if (Key == "end")
      H.gpu_end_ticks = C.StartTicks + C.Duration(Value);
    else if (Key == "library")
      setText(H.gpu_library, Value);
    else if (Key == "overhead") {
      std::vector<std::string> Parts = split(Value, ',');
      for (size_t I = 0; I < Parts.size() && I < 4; ++I)
        H.gpu_overhead_ticks[I] = C.Duration(Parts[I]);
    } else
      return false;
    return true;
  };
  forEachKey(Words, C, Set, [&](const std::string &State) {
    H.gpu_state = State == "on"        ? LOOPSCOPE_GPU_ON
                  : State == "missing" ? LOOPSCOPE_GPU_MISSING
                                       : LOOPSCOPE_GPU_STOPPED;
  });
}

void GpuDescription::readDevice(std::istringstream &Words,
                                const DescriptionContext &C) {
  loopscope_gpu_device D{};
  std::string Id, Name;
  Words >> Id;
  D.id = static_cast<uint32_t>(C.Number(Id));
  D.compute_major = D.compute_minor = -1;
  D.multiprocessors = D.max_warps_per_multiprocessor = -1;
  D.max_blocks_per_multiprocessor = D.max_registers_per_multiprocessor = -1;
  D.max_shared_per_multiprocessor = D.total_memory = -1;
  D.first_start_ticks = UINT64_MAX;
  auto Set = [&](const std::string &Key, const std::string &Value) {
    if (Key == "cc") {
      std::vector<std::string> Parts = split(Value, '.');
      D.compute_major = static_cast<int32_t>(C.Number(Parts[0]));
      D.compute_minor = static_cast<int32_t>(C.Number(Parts.back()));
    } else if (Key == "sms")
      D.multiprocessors = static_cast<int32_t>(C.Number(Value));
    else if (Key == "warps")
      D.max_warps_per_multiprocessor = static_cast<int32_t>(C.Number(Value));
    else if (Key == "memory")
      D.total_memory = static_cast<int64_t>(C.Number(Value));
    else if (Key == "bandwidth")
      D.memory_bytes_per_s = C.Number(Value);
    else if (Key == "from")
      D.first_start_ticks = C.StartTicks + C.Duration(Value);
    else if (Key == "to")
      D.last_end_ticks = C.StartTicks + C.Duration(Value);
    else if (Key == "busy")
      D.busy_ticks = C.Duration(Value);
    else if (Key == "kernels")
      D.kernel_ticks = C.Duration(Value);
    else if (Key == "copies")
      D.copy_ticks = C.Duration(Value);
    else if (Key == "sm")
      D.multiprocessor_ticks = static_cast<double>(C.Duration(Value));
    else if (Key == "peak")
      D.memory_peak = C.Number(Value), D.memory_peak_number = 1;
    else if (Key == "held")
      D.memory_now = C.Number(Value);
    else if (Key == "peak-node")
      D.memory_peak_node = C.Node(Value);
    else if (Key == "sequence")
      D.sequence = static_cast<uint32_t>(C.Number(Value));
    else
      return false;
    return true;
  };
  forEachKey(Words, C, Set, [&](const std::string &Word) {
    Name += (Name.empty() ? "" : " ") + Word;
  });
  Devices.push_back(D);
  DeviceNames.push_back(Name);
}

void GpuDescription::readWork(uint16_t Kind, std::istringstream &Words,
                              const DescriptionContext &C) {
  loopscope_gpu_work W{};
  std::string Node, What;
  Words >> Node;
  if (Kind != LOOPSCOPE_GPU_SET)
    Words >> What;
  W.node = C.Node(Node);
  W.kind = Kind;
  W.function = LOOPSCOPE_NONE;
  W.min_ticks = UINT64_MAX;
  if (Kind == LOOPSCOPE_GPU_KERNEL)
    W.function = functionOf(What);
  else if (Kind == LOOPSCOPE_GPU_COPY)
    W.direction = directionOf(What, C);
  double Blocks = 0, Occupancy = -1;
  auto Set = [&](const std::string &Key, const std::string &Value) {
    if (Key == "device")
      W.device = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "spans")
      addSpans(W, Value, C);
    else if (Key == "no-time")
      W.no_time = C.Number(Value), W.count += W.no_time;
    else if (Key == "bytes")
      W.bytes = C.Number(Value);
    else if (Key == "graph")
      W.graph_count = C.Number(Value);
    else if (Key == "shorter")
      W.shorter = C.Number(Value);
    else if (Key == "queue")
      W.queue_ticks = C.Duration(Value);
    else if (Key == "blocks")
      Blocks = real(Value);
    else if (Key == "occupancy")
      Occupancy = real(Value);
    else if (Key == "busy")
      W.busy_ticks = C.Duration(Value);
    else if (Key == "made-in")
      W.made_in = C.Node(Value) + 1;
    else if (Key == "kind")
      W.kind = static_cast<uint16_t>(C.Number(Value));
    else if (Key == "function")
      W.function = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "sequence")
      W.sequence = static_cast<uint32_t>(C.Number(Value));
    else
      return false;
    return true;
  };
  forEachKey(Words, C, Set,
             [&](const std::string &Word) { C.Die("stray word " + Word); });
  auto Sum = static_cast<double>(W.sum_ticks);
  W.blocks_per_sm_ticks = Blocks * Sum;
  if (Occupancy >= 0) {
    W.occupancy_ticks = Occupancy * Sum;
    W.occupancy_known_ticks = Sum;
  }
  Work.push_back(W);
}

void GpuDescription::readUnion(std::istringstream &Words,
                               const DescriptionContext &C) {
  loopscope_gpu_node N{};
  std::string Node;
  Words >> Node;
  N.node = C.Node(Node);
  auto Set = [&](const std::string &Key, const std::string &Value) {
    if (Key == "device")
      N.device = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "busy")
      N.busy_ticks = C.Duration(Value);
    else if (Key == "kernels")
      N.kernel_ticks = C.Duration(Value);
    else if (Key == "idle")
      N.idle_ticks = C.Duration(Value);
    else
      return false;
    return true;
  };
  forEachKey(Words, C, Set,
             [&](const std::string &Word) { C.Die("stray word " + Word); });
  Nodes.push_back(N);
}

void GpuDescription::readOverlap(std::istringstream &Words,
                                 const DescriptionContext &C) {
  loopscope_gpu_overlap O{};
  std::map<uint32_t, bool> HasKernels;
  auto Set = [&](const std::string &Key, const std::string &Value) {
    if (Key == "device")
      O.device = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "busy")
      O.ticks = C.Duration(Value);
    else if (Key == "kernels" || Key == "copies")
      HasKernels[C.Node(Value)] = Key == "kernels";
    else if (Key == "count") // damage
      O.reserved32 = static_cast<uint32_t>(C.Number(Value));
    else
      return false;
    return true;
  };
  forEachKey(Words, C, Set, [&](const std::string &Word) {
    if (Word != "more")
      C.Die("stray word " + Word);
    O.more = 1;
  });
  for (auto [Node, Kernels] : HasKernels) {
    O.kernels |= Kernels ? 1u << O.count : 0;
    O.nodes[O.count++] = Node;
  }
  if (O.reserved32 != 0)
    O.count = O.reserved32;
  O.reserved32 = 0;
  Overlaps.push_back(O);
}

void GpuDescription::readSameWork(std::istringstream &Words,
                                  const DescriptionContext &C) {
  loopscope_gpu_same_work W{};
  std::string Kind, What;
  Words >> Kind;
  W.kind = Kind == "kernel" ? uint16_t(LOOPSCOPE_GPU_KERNEL)
           : Kind == "copy" ? uint16_t(LOOPSCOPE_GPU_COPY)
           : Kind == "set"  ? uint16_t(LOOPSCOPE_GPU_SET)
                            : static_cast<uint16_t>(C.Number(Kind));
  if (W.kind != LOOPSCOPE_GPU_SET)
    Words >> What;
  W.function =
      W.kind == LOOPSCOPE_GPU_KERNEL ? functionOf(What) : LOOPSCOPE_NONE;
  if (W.kind == LOOPSCOPE_GPU_COPY)
    W.direction = directionOf(What, C);
  auto Set = [&](const std::string &Key, const std::string &Value) {
    if (Key == "device")
      W.device = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "busy")
      W.busy_ticks = C.Duration(Value);
    else
      return false;
    return true;
  };
  forEachKey(Words, C, Set,
             [&](const std::string &Word) { C.Die("stray word " + Word); });
  SameWork.push_back(W);
}

void GpuDescription::readMemory(std::istringstream &Words,
                                const DescriptionContext &C) {
  static const std::map<std::string, uint32_t> Kinds = {
      {"device", LOOPSCOPE_GPU_DEVICE_MEMORY},
      {"managed", LOOPSCOPE_GPU_MANAGED_MEMORY},
      {"pinned", LOOPSCOPE_GPU_PINNED_MEMORY},
      {"other", LOOPSCOPE_GPU_OTHER_MEMORY}};
  loopscope_gpu_memory M{};
  std::string Node, Kind;
  Words >> Node >> Kind;
  M.node = C.Node(Node);
  auto Found = Kinds.find(Kind);
  M.kind = Found == Kinds.end() ? static_cast<uint32_t>(C.Number(Kind))
                                : Found->second;
  if (M.kind == LOOPSCOPE_GPU_PINNED_MEMORY)
    M.device = LOOPSCOPE_NONE;
  const std::map<std::string, uint64_t *> Numbers = {
      {"allocations", &M.allocations},
      {"bytes", &M.allocated_bytes},
      {"frees", &M.frees},
      {"freed", &M.freed_bytes},
      {"peak", &M.peak_bytes},
      {"held-at-peak", &M.held_bytes}};
  auto Set = [&](const std::string &Key, const std::string &Value) {
    if (auto Plain = Numbers.find(Key); Plain != Numbers.end())
      *Plain->second = C.Number(Value);
    else if (Key == "device")
      M.device = static_cast<uint32_t>(C.Number(Value));
    else
      return false;
    return true;
  };
  forEachKey(Words, C, Set,
             [&](const std::string &Word) { C.Die("stray word " + Word); });
  Memory.push_back(M);
}

void GpuDescription::readEvent(std::istringstream &Words,
                               const DescriptionContext &C) {
  loopscope_gpu_event E{};
  std::string Kind, Node, Function;
  Words >> Kind >> Node >> Function;
  auto Found = EventKinds.find(Kind);
  if (Found == EventKinds.end())
    C.Die("unknown event " + Kind);
  E.sequence = Events.size() + 1;
  E.kind = Found->second;
  E.node = C.Node(Node);
  E.function = functionOf(Function);
  bool IsWork = E.kind <= LOOPSCOPE_GPU_SET;
  E.device = IsWork ? 0 : LOOPSCOPE_NONE;
  E.thread = IsWork ? LOOPSCOPE_NONE : 0;
  E.occupancy = -1;
  uint64_t Length = 0;
  const std::map<std::string, uint32_t *> Numbers = {
      {"device", &E.device},        {"context", &E.context},
      {"stream", &E.stream},        {"correlation", &E.correlation},
      {"thread", &E.thread},        {"registers", &E.registers},
      {"static", &E.static_shared}, {"dynamic", &E.dynamic_shared},
      {"graph", &E.graph},          {"tid", &E.tid},
      {"callback", &E.callback}};
  auto Set = [&](const std::string &Key, const std::string &Value) {
    if (auto Plain = Numbers.find(Key); Plain != Numbers.end())
      *Plain->second = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "at")
      E.start_ticks = C.StartTicks + C.Duration(Value);
    else if (Key == "for")
      Length = C.Duration(Value);
    else if (Key == "direction")
      E.direction = directionOf(Value, C);
    else if (Key == "grid" || Key == "block") {
      std::vector<std::string> Parts = split(Value, ',');
      uint32_t *To = Key == "grid" ? E.grid : E.block;
      for (size_t I = 0; I < 3; ++I)
        To[I] =
            I < Parts.size() ? static_cast<uint32_t>(C.Number(Parts[I])) : 1;
    } else if (Key == "graph-node")
      E.graph_node = C.Number(Value);
    else if (Key == "made-in")
      E.made_in = C.Node(Value) + 1;
    else if (Key == "bytes")
      E.bytes = C.Number(Value);
    else if (Key == "occupancy")
      E.occupancy = static_cast<float>(real(Value));
    else if (Key == "kind")
      E.kind = static_cast<uint16_t>(C.Number(Value));
    else
      return false;
    return true;
  };
  forEachKey(Words, C, Set,
             [&](const std::string &Word) { C.Die("stray word " + Word); });
  E.end_ticks = E.start_ticks + Length;
  Events.push_back(E);
}

bool GpuDescription::read(const std::string &Word, std::istringstream &Words,
                          const DescriptionContext &C) {
  if (Word == "gpu")
    readHeader(Words, C);
  else if (Word == "gpu-note") {
    std::string Text;
    std::getline(Words >> std::ws, Text);
    setText(C.Header->gpu_note, Text);
  } else if (Word == "device")
    readDevice(Words, C);
  else if (Word == "kernel")
    readWork(LOOPSCOPE_GPU_KERNEL, Words, C);
  else if (Word == "copy")
    readWork(LOOPSCOPE_GPU_COPY, Words, C);
  else if (Word == "set")
    readWork(LOOPSCOPE_GPU_SET, Words, C);
  else if (Word == "union")
    readUnion(Words, C);
  else if (Word == "same")
    readSameWork(Words, C);
  else if (Word == "overlap")
    readOverlap(Words, C);
  else if (Word == "wait") {
    std::string Waiter, Worker, Length;
    Words >> Waiter >> Worker >> Length;
    Waits.push_back({C.Node(Waiter), C.Node(Worker), 0, 0, C.Duration(Length)});
  } else if (Word == "memory")
    readMemory(Words, C);
  else if (Word == "event")
    readEvent(Words, C);
  else
    return false;
  return true;
}

bool GpuDescription::set(loopscope_profile_node &Node, const std::string &Key,
                         const std::string &Value,
                         const DescriptionContext &C) {
  uint64_t *Count = nullptr, *Ticks = nullptr;
  if (Key == "launches")
    Count = &Node.gpu_launches, Ticks = &Node.gpu_launch_ticks;
  else if (Key == "waits")
    Count = &Node.gpu_waits, Ticks = &Node.gpu_wait_ticks;
  else if (Key == "calls")
    Count = &Node.gpu_calls, Ticks = &Node.gpu_call_ticks;
  else
    return false;
  size_t Slash = Value.find('/');
  if (Slash == std::string::npos)
    C.Die(Key + "= takes COUNT/DURATION");
  *Count = C.Number(Value.substr(0, Slash));
  *Ticks = C.Duration(Value.substr(Slash + 1));
  return true;
}

void GpuDescription::place(const PlaceText &Place) {
  for (size_t I = 0; I < Devices.size(); ++I)
    Devices[I].name = Place(DeviceNames[I]);
  for (size_t I = 0; I < Functions.size(); ++I)
    Functions[I].name = Place(FunctionNames[I]);
}

void GpuDescription::write(const AppendChunk &Append) const {
  auto Add = [&](uint32_t Type, const auto &Records) {
    if (!Records.empty())
      Append(Type, Records.data(), Records.size(), sizeof(Records[0]));
  };
  Add(LOOPSCOPE_CHUNK_GPU_DEVICES, Devices);
  Add(LOOPSCOPE_CHUNK_GPU_FUNCTIONS, Functions);
  Add(LOOPSCOPE_CHUNK_GPU_WORK, Work);
  Add(LOOPSCOPE_CHUNK_GPU_NODES, Nodes);
  Add(LOOPSCOPE_CHUNK_GPU_OVERLAPS, Overlaps);
  Add(LOOPSCOPE_CHUNK_GPU_SAME_WORK, SameWork);
  Add(LOOPSCOPE_CHUNK_GPU_WAITS, Waits);
  Add(LOOPSCOPE_CHUNK_GPU_MEMORY, Memory);
  Add(LOOPSCOPE_CHUNK_GPU_EVENTS, Events);
}
