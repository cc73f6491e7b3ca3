// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a described profile's records.

#include "ProfileDescription.h"

#include "CommDescription.h"
#include "DeviceDescription.h"
#include "GpuDescription.h"
#include "HistoryDescription.h"
#include "KeyDescription.h"
#include "OperatorDescription.h"
#include "SumsDescription.h"
#include "TimelineDescription.h"

#include "Run/Model/Moments.h"

#include <loopscope/profile_format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {
__extension__ typedef unsigned __int128 Wide;
constexpr uint64_t StartTicks = 1000;

[[noreturn]] void die(unsigned Line, const std::string &What) {
  std::fprintf(stderr, "make-profile: line %u: %s\n", Line, What.c_str());
  std::exit(1);
}

struct SiteText {
  std::string Name, File, Function;
};

struct Builder {
  loopscope_profile_header Header{};
  std::vector<loopscope_profile_site> Sites;
  std::vector<SiteText> SiteTexts;
  std::vector<loopscope_profile_thread> Threads;
  std::vector<loopscope_profile_node> Nodes;
  std::vector<loopscope_histogram> Histograms;
  std::vector<std::string> Missing;
  GpuDescription Gpu;
  DeviceDescription Devices;
  HistoryDescription History;
  SumsDescription Sums;
  CommDescription Comm;
  OperatorDescription Operators;
  KeyDescription Keys;
  TimelineDescription Timeline;
  std::vector<uint32_t> Way; // open nodes by depth, root first
  std::string Strings;
  int64_t UsedMore = 0;
  unsigned Line = 0;

  Builder();
  void read(const std::string &Text);
  void readThread(std::istringstream &Words);
  uint32_t newSite(uint32_t Kind);
  void joinFamily(uint32_t Node);
  void readNode(size_t Depth, const std::string &Kind,
                std::istringstream &Words);
  void set(uint32_t Node, const std::string &Key, const std::string &Value);
  void addSpans(uint32_t Node, const std::string &List);
  uint64_t duration(const std::string &Text) const;
  uint64_t number(const std::string &Text) const;
  uint32_t newNode(uint32_t Parent, uint16_t Kind);
  uint32_t nodeNamed(const std::string &Name) const;
  DescriptionContext context();
  std::string write();
};

const std::map<std::string, uint16_t> Kinds = {
    {"phase", LOOPSCOPE_KIND_PHASE},
    {"fit", LOOPSCOPE_KIND_FIT},
    {"validate", LOOPSCOPE_KIND_VALIDATE},
    {"test", LOOPSCOPE_KIND_TEST},
    {"predict", LOOPSCOPE_KIND_PREDICT},
    {"epoch", LOOPSCOPE_KIND_EPOCH},
    {"train", LOOPSCOPE_KIND_TRAIN},
    {"valid", LOOPSCOPE_KIND_VALID},
    {"step", LOOPSCOPE_KIND_STEP},
    {"draw", LOOPSCOPE_KIND_DRAW},
    {"batch", LOOPSCOPE_KIND_BATCH},
    {"function", LOOPSCOPE_KIND_FUNCTION},
    {"operator", LOOPSCOPE_KIND_OPERATOR},
    {"served", LOOPSCOPE_KIND_SERVED},
    {"wait", LOOPSCOPE_KIND_WAIT},
    {"collective", LOOPSCOPE_KIND_COLLECTIVE}};
} // namespace

Builder::Builder() {
  std::memcpy(Header.magic, LOOPSCOPE_PROFILE_MAGIC, sizeof(Header.magic));
  Header.version_major = LOOPSCOPE_PROFILE_VERSION_MAJOR;
  Header.version_minor = LOOPSCOPE_PROFILE_VERSION_MINOR;
  Header.header_size = LOOPSCOPE_PROFILE_PAGE;
  Header.pid = 4711;
  Header.rank = -1;
  Header.clock_kind = LOOPSCOPE_CLOCK_MONOTONIC;
  Header.start_ticks = StartTicks;
  Header.last_ticks = StartTicks;
  Header.end_state = LOOPSCOPE_END_EXITED;
  Header.mode = LOOPSCOPE_MODE_SIMPLE;
  setText(Header.program, "./train");
}

uint64_t Builder::number(const std::string &Text) const {
  char *End = nullptr;
  uint64_t Value = std::strtoull(Text.c_str(), &End, 0);
  if (Text.empty() || *End)
    die(Line, "'" + Text + "' is no number");
  return Value;
}

uint64_t Builder::duration(const std::string &Text) const {
  char *Unit = nullptr;
  long double Value = std::strtold(Text.c_str(), &Unit);
  const std::map<std::string, long double> Units = {
      {"ns", 1}, {"us", 1e3L}, {"ms", 1e6L}, {"s", 1e9L}};
  auto Found = Units.find(Unit);
  if (Found == Units.end())
    die(Line, "'" + Text + "' is no duration");
  return static_cast<uint64_t>(Value * Found->second + 0.5L);
}

uint32_t Builder::newNode(uint32_t Parent, uint16_t Kind) {
  loopscope_profile_node N{};
  N.state = 1;
  N.parent = Parent;
  N.thread = static_cast<uint32_t>(Threads.size() - 1);
  N.site = LOOPSCOPE_NONE;
  N.kind = Kind;
  N.depth = static_cast<uint32_t>(Way.size());
  N.min_ticks = UINT64_MAX;
  Nodes.push_back(N);
  Histograms.push_back({});
  return static_cast<uint32_t>(Nodes.size() - 1);
}

void Builder::readThread(std::istringstream &Words) {
  loopscope_profile_thread T{};
  std::string Name, Word;
  Words >> Name;
  setText(T.name, Name);
  T.is_main = Name == "main";
  T.state = 2;
  T.users = 1;
  T.start_ticks = StartTicks;
  T.last_ticks = T.is_main ? Header.end_ticks : StartTicks;
  T.tid = 4711 + static_cast<int64_t>(Threads.size());
  while (Words >> Word) {
    std::string Value = Word.substr(Word.find('=') + 1);
    if (Word.rfind("users=", 0) == 0) {
      T.users = static_cast<uint32_t>(number(Value));
      continue;
    }
    uint64_t Ticks = StartTicks + duration(Value);
    if (Word.rfind("lived=", 0) == 0)
      T.last_ticks = Ticks;
    else if (Word.rfind("last=", 0) == 0)
      T.last_ticks = Ticks, T.state = 1;
    else
      die(Line, "unknown key " + Word);
  }
  Threads.push_back(T);
  Way.clear();
  Threads.back().root = newNode(LOOPSCOPE_NONE, LOOPSCOPE_KIND_ROOT);
  Way.push_back(Threads.back().root);
}

void Builder::addSpans(uint32_t Node, const std::string &List) {
  std::istringstream Items(List);
  loopscope_profile_node &N = Nodes[Node];
  Wide Squares = (static_cast<Wide>(N.square_high) << 64) | N.square_low;
  for (std::string Item; std::getline(Items, Item, ',');) {
    size_t Times = Item.find('x');
    uint64_t Count =
        Times == std::string::npos ? 1 : number(Item.substr(0, Times));
    uint64_t Ticks =
        duration(Times == std::string::npos ? Item : Item.substr(Times + 1));
    N.count += Count;
    N.sum_ticks += Count * Ticks;
    Squares += static_cast<Wide>(Ticks) * Ticks * Count;
    N.min_ticks = std::min(N.min_ticks, Ticks);
    N.max_ticks = std::max(N.max_ticks, Ticks);
    N.last_ticks = Ticks;
    Histograms[Node].bucket[loopscope::bucketOf(Ticks)] += Count;
  }
  N.square_low = static_cast<uint64_t>(Squares);
  N.square_high = static_cast<uint64_t>(Squares >> 64);
  // Like the runtime: the last span isn't in the histogram yet.
  --Histograms[Node].bucket[loopscope::bucketOf(N.last_ticks)];
}

void Builder::set(uint32_t Node, const std::string &Key,
                  const std::string &Value) {
  loopscope_profile_node &N = Nodes[Node];
  loopscope_profile_site &S = Sites[N.site % Sites.size()];
  SiteText &T = SiteTexts[N.site % Sites.size()];
  if (Key == "spans")
    addSpans(Node, Value);
  else if (Key == "uncounted")
    N.uncounted_ticks = duration(Value);
  else if (Key == "popped")
    N.popped = static_cast<uint32_t>(number(Value));
  else if (Key == "open")
    N.open = 1, N.enter_ticks = Threads.back().last_ticks - duration(Value);
  else if (Key == "at")
    Timeline.add(Node, Value, context()), Header.mode = LOOPSCOPE_MODE_TRACE;
  else if (Key == "samples")
    N.samples = number(Value);
  else if (Key == "rates")
    N.rate_sum = std::strtod(Value.c_str(), nullptr) / 1e9,
    N.rate_count = N.count;
  else if (Key == "warmup")
    N.flags |= LOOPSCOPE_NODE_WARMUP;
  else if (Key == "cut")
    N.flags |= LOOPSCOPE_NODE_CUT;
  else if (Key == "late_end")
    N.flags |= LOOPSCOPE_NODE_LATE_END;
  else if (Key == "equal")
    N.flags |= LOOPSCOPE_NODE_EQUAL_SAMPLES;
  else if (Key == "elsewhere")
    N.flags |= LOOPSCOPE_NODE_OTHER_THREAD;
  else if (Key == "file")
    T.File = Value;
  else if (Key == "line")
    S.line = static_cast<uint32_t>(number(Value));
  else if (Key == "function")
    T.Function = Value;
  else if (Key == "inputs")
    T.Function = OperatorDescription::inputs(Value);
  else if (Key == "key")
    Keys.set(Node, N, Value);
  else if (Key == "site")
    N.site = static_cast<uint32_t>(number(Value));
  else if (Key == "depth")
    N.depth = static_cast<uint32_t>(number(Value));
  else if (Key == "parent")
    N.parent = static_cast<uint32_t>(number(Value));
  else if (Key == "sequence")
    N.sequence = static_cast<uint32_t>(number(Value));
  else if (Key == "state")
    N.state = static_cast<uint32_t>(number(Value));
  else if (!GpuDescription::set(N, Key, Value, context()) &&
           !Sums.set(Node, N, Key, Value, context()))
    die(Line, "unknown key " + Key);
}

// The node with a call path's name; "forward#2" is the second of that name.
uint32_t Builder::nodeNamed(const std::string &Name) const {
  if (Name == "none")
    return LOOPSCOPE_NONE;
  if (Name == "root")
    return 0;
  if (Name.find_first_not_of("0123456789") == std::string::npos)
    return static_cast<uint32_t>(number(Name));
  size_t Mark = Name.find('#');
  uint64_t Number =
      Mark == std::string::npos ? 1 : number(Name.substr(Mark + 1));
  std::string Wanted = Name.substr(0, Mark);
  for (uint32_t I = 0; I < Nodes.size(); ++I) {
    if (Nodes[I].site == LOOPSCOPE_NONE)
      continue;
    uint16_t Kind = Nodes[I].kind;
    bool IsPart = Kind == LOOPSCOPE_KIND_STEP || Kind == LOOPSCOPE_KIND_DRAW ||
                  Kind == LOOPSCOPE_KIND_BATCH;
    auto Known = Kinds.find(Wanted);
    bool Same = IsPart ? Known != Kinds.end() && Known->second == Kind
                       : SiteTexts[Nodes[I].site].Name == Wanted;
    if (Same && --Number == 0)
      return I;
  }
  die(Line, "no call path is called " + Name);
}

DescriptionContext Builder::context() {
  return {[this](const std::string &Text) { return number(Text); },
          [this](const std::string &Text) { return duration(Text); },
          [this](const std::string &Name) { return nodeNamed(Name); },
          [this](const std::string &What) { die(Line, What); },
          &Header,
          StartTicks};
}

uint32_t Builder::newSite(uint32_t Kind) {
  loopscope_profile_site Site{};
  Site.kind = Kind;
  Site.line = Line;
  Sites.push_back(Site);
  SiteTexts.push_back(
      {"", "train.cpp", Kind == LOOPSCOPE_KIND_OPERATOR ? "" : "main"});
  return static_cast<uint32_t>(Sites.size() - 1);
}

void Builder::readNode(size_t Depth, const std::string &Kind,
                       std::istringstream &Words) {
  auto Found = Kinds.find(Kind);
  if (Found == Kinds.end())
    die(Line, "unknown word " + Kind);
  if (Depth == 0 || Depth > Way.size())
    die(Line, "wrong indentation");
  Way.resize(Depth);
  uint32_t Node = newNode(Way.back(), Found->second);
  Way.push_back(Node);
  // The parts of a loop have its site.
  uint32_t Loop = Way[Depth - 1];
  bool IsPart = Nodes[Loop].kind == LOOPSCOPE_KIND_STEP ||
                Found->second == LOOPSCOPE_KIND_STEP;
  Nodes[Node].site = IsPart ? Nodes[Loop].site : newSite(Found->second);
  uint32_t Site = Nodes[Node].site;
  for (std::string Word; Words >> Word;) {
    size_t Equals = Word.find('=');
    if (Equals != std::string::npos)
      set(Node, Word.substr(0, Equals), Word.substr(Equals + 1));
    else if (Word == "warmup" || Word == "cut" || Word == "late_end" ||
             Word == "elsewhere" || Word == "equal")
      set(Node, Word, "");
    else if (IsPart)
      die(Line, "steps, draws and batches have no name");
    else if (SiteTexts[Site].Name.empty())
      SiteTexts[Site].Name = Word;
    else
      SiteTexts[Site].Name += ' ' + Word;
  }
  joinFamily(Node);
}

// Gives a node with a key the site of its siblings of the same name.
void Builder::joinFamily(uint32_t Node) {
  auto HasKey = [](const loopscope_profile_node &N) {
    return N.flags >> LOOPSCOPE_NODE_KEY_SHIFT != 0;
  };
  const loopscope_profile_node &N = Nodes[Node];
  for (uint32_t I = 0; I < Node && HasKey(N); ++I)
    if (const loopscope_profile_node &Other = Nodes[I];
        HasKey(Other) && Other.kind == N.kind && Other.site != N.site &&
        SiteTexts[Other.site].Name == SiteTexts[N.site].Name) {
      Sites.pop_back();
      SiteTexts.pop_back();
      Nodes[Node].site = Other.site;
      return;
    }
}

void Builder::read(const std::string &Text) {
  std::istringstream Words(Text);
  std::string Word, Value;
  Words >> Word;
  size_t Indent = Text.find_first_not_of(' ');
  if (Word.empty() || Word[0] == '#')
    return;
  if (Indent >= 2)
    return readNode(Indent / 2, Word, Words);
  if (Word == "thread")
    return readThread(Words);
  if (Gpu.read(Word, Words, context()) ||
      Devices.read(Word, Words, context()) ||
      History.read(Word, Words, context(), Nodes) ||
      Comm.read(Word, Words, context()) ||
      Operators.read(Word, Words, context()) ||
      Keys.read(Word, Words, context()))
    return;
  Words >> Value;
  if (Word == "wall") {
    Header.end_ticks = StartTicks + duration(Value);
  } else if (Word == "end") {
    Header.end_state = Value == "exited"   ? LOOPSCOPE_END_EXITED
                       : Value == "signal" ? LOOPSCOPE_END_SIGNAL
                                           : LOOPSCOPE_END_RUNNING;
    Words >> Header.end_code;
  } else if (Word == "rank") {
    Header.rank = static_cast<int32_t>(number(Value));
    Words >> Word >> Header.world_size;
  } else if (Word == "warmup") {
    Header.warmup_steps = static_cast<uint32_t>(number(Value));
    Header.warmup_per_epoch = static_cast<bool>(Words >> Word);
  } else if (Word == "hook") {
    Header.hook_inside_ticks1024 = number(Value) * 1024;
    Words >> Header.hook_outside_ticks1024;
    Header.hook_outside_ticks1024 *= 1024;
  } else if (Word == "program") {
    setText(Header.program, Value);
  } else if (Word == "host") {
    setText(Header.host, Value);
  } else if (Word == "run") {
    setText(Header.run_id, Value);
  } else if (Word == "started") {
    Header.start_realtime_ns = static_cast<int64_t>(duration(Value));
    Words >> Value;
    Header.start_ns = duration(Value);
  } else if (Word == "named") {
    std::string Count;
    Words >> Count;
    Sums.addCounter(Value, number(Count));
  } else if (Word == "fact") {
    Sums.addFact(Value, Words, context());
  } else if (Word == "value") {
    Sums.addValue(Value, Words, context());
  } else if (Word == "range") {
    Sums.addRange(Value, Words, context());
  } else if (Word == "counter") {
    Words >> Header.counters[number(Value) % LOOPSCOPE_COUNT_MAX];
  } else if (Word == "flags") {
    Header.flags = static_cast<uint32_t>(number(Value));
  } else if (Word == "version") {
    Header.version_major = static_cast<uint16_t>(std::atoi(Value.c_str()));
    if (size_t Point = Value.find('.'); Point != std::string::npos)
      Header.version_minor =
          static_cast<uint16_t>(std::atoi(Value.c_str() + Point + 1));
  } else if (Word == "used") {
    UsedMore = std::atoll(Value.c_str());
  } else if (Word == "missing") {
    Missing.push_back(Value);
  } else {
    die(Line, "unknown word " + Word);
  }
}

std::string Builder::write() {
  if (Header.end_state == LOOPSCOPE_END_RUNNING)
    Header.end_ticks = 0;
  std::string Out(LOOPSCOPE_PROFILE_PAGE, '\0');
  // The first chunk holds the strings, right after its header.
  uint64_t StringsAt = LOOPSCOPE_PROFILE_PAGE + sizeof(loopscope_chunk_header);
  auto Place = [&](const std::string &Text) {
    loopscope_profile_string Result{StringsAt + Strings.size(),
                                    static_cast<uint32_t>(Text.size()), 0};
    Strings += Text;
    return Result;
  };
  for (size_t I = 0; I < Sites.size(); ++I) {
    Sites[I].name = Place(SiteTexts[I].Name);
    Sites[I].file = Place(SiteTexts[I].File);
    Sites[I].function = Place(SiteTexts[I].Function);
  }
  std::vector<loopscope_profile_string> MissingAt;
  for (const std::string &File : Missing)
    MissingAt.push_back(Place(File));
  Gpu.place(Place);
  Devices.place(Place);
  Sums.place(Place);
  Keys.place(Place);
  auto Append = [&](uint32_t Type, const void *Entries, size_t Count,
                    size_t Size, const void *More = nullptr,
                    size_t MoreSize = 0) {
    loopscope_chunk_header H{};
    H.magic = LOOPSCOPE_CHUNK_MAGIC;
    H.type = Type;
    uint64_t Bytes = sizeof(H) + Count * Size + MoreSize;
    H.size = (Bytes + LOOPSCOPE_PROFILE_PAGE - 1) / LOOPSCOPE_PROFILE_PAGE *
             LOOPSCOPE_PROFILE_PAGE;
    H.capacity = H.used = static_cast<uint32_t>(Count);
    H.entry_size = static_cast<uint32_t>(Size);
    size_t At = Out.size();
    Out.resize(At + H.size);
    std::memcpy(&Out[At], &H, sizeof(H));
    if (Count != 0)
      std::memcpy(&Out[At + sizeof(H)], Entries, Count * Size);
    if (MoreSize != 0)
      std::memcpy(&Out[At + sizeof(H) + Count * Size], More, MoreSize);
  };
  Append(LOOPSCOPE_CHUNK_STRINGS, Strings.data(), Strings.size(), 1);
  Append(LOOPSCOPE_CHUNK_SITES, Sites.data(), Sites.size(), sizeof(Sites[0]));
  Append(LOOPSCOPE_CHUNK_THREADS, Threads.data(), Threads.size(),
         sizeof(Threads[0]));
  Append(LOOPSCOPE_CHUNK_NODES, Nodes.data(), Nodes.size(), sizeof(Nodes[0]),
         Histograms.data(), Histograms.size() * sizeof(loopscope_histogram));
  if (!MissingAt.empty())
    Append(LOOPSCOPE_CHUNK_MISSING, MissingAt.data(), MissingAt.size(),
           sizeof(MissingAt[0]));
  auto AppendRecords = [&](uint32_t Type, const void *Entries, size_t Count,
                           size_t Size) { Append(Type, Entries, Count, Size); };
  Gpu.write(AppendRecords);
  Devices.write(AppendRecords);
  History.write(AppendRecords);
  Sums.write(AppendRecords);
  Comm.write(AppendRecords);
  Operators.write(AppendRecords);
  Keys.write(AppendRecords);
  std::vector<loopscope_event_block> Blocks =
      Timeline.blocks(Nodes, Threads.size());
  if (!Blocks.empty())
    AppendRecords(LOOPSCOPE_CHUNK_EVENTS, Blocks.data(), Blocks.size(),
                  sizeof(Blocks[0]));
  Header.used_bytes = Out.size() + static_cast<uint64_t>(UsedMore);
  std::memcpy(Out.data(), &Header, sizeof(Header));
  return Out;
}

std::string describedProfile(const std::string &Text) {
  Builder B;
  std::istringstream In(Text);
  for (std::string Line; std::getline(In, Line);) {
    ++B.Line;
    B.read(Line);
  }
  return B.write();
}
