// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds checks for everything that is read from a profile.

#include "Run/Read/ProfileBytes.h"

#include "Support/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <type_traits>

using namespace loopscope;

namespace {
// How often to retry reading a record that is being written.
constexpr int MaxTries = 1000;

uint32_t loadAcquire(const std::byte *At) {
  return __atomic_load_n(reinterpret_cast<const uint32_t *>(At),
                         __ATOMIC_ACQUIRE);
}

uint64_t loadAcquire64(const std::byte *At) {
  return __atomic_load_n(reinterpret_cast<const uint64_t *>(At),
                         __ATOMIC_ACQUIRE);
}

// Copies a T guarded by the sequence number at SEQUENCE (odd while it is being
// written). False if it stayed odd or kept changing.
template <typename T>
bool copyGuarded(const std::byte *From, size_t Sequence, T &Into) {
  for (int Try = 0; Try < MaxTries; ++Try) {
    uint32_t Before = loadAcquire(From + Sequence);
    std::memcpy(&Into, From, sizeof(T));
    std::atomic_thread_fence(std::memory_order_acquire);
    if (Before % 2 == 0 && loadAcquire(From + Sequence) == Before)
      return true;
  }
  return false;
}

template <typename T> bool readAt(const OpenFile &File, size_t At, T &Into) {
  return File.read(At, std::as_writable_bytes(std::span(&Into, 1)));
}

bool isAligned(uint64_t Offset) { return Offset % 8 == 0; }
} // namespace

template <typename T> bool ProfileBytes::copyOutside(size_t At, T &Into) const {
  if (File)
    return readAt(*File, At, Into);
  if constexpr (std::is_same_v<T, uint64_t>) {
    Into = loadAcquire64(Bytes.data() + At);
  } else {
    Into = copyFrom<T>(Bytes, At);
    std::atomic_thread_fence(std::memory_order_acquire);
  }
  return true;
}

Result<ProfileBytes> ProfileBytes::parse(std::span<const std::byte> Bytes,
                                         const std::string &Name,
                                         std::shared_ptr<const OpenFile> File) {
  constexpr std::string_view Magic = LOOPSCOPE_PROFILE_MAGIC;
  size_t Compared = std::min(Bytes.size(), Magic.size());
  if (std::ranges::all_of(Bytes.first(Compared),
                          [](std::byte Each) { return Each == std::byte(0); }))
    return Error{fmt::format("{}: begins with zeros; somebody truncated the "
                             "file while the run wrote it",
                             Name)};
  if (std::memcmp(Bytes.data(), Magic.data(), Compared) != 0)
    return Error{fmt::format("{}: is not a Loopscope profile (its first bytes "
                             "are not \"LOOPSCP\")",
                             Name)};
  if (Bytes.size() < LOOPSCOPE_PROFILE_PAGE)
    return Error{fmt::format("{}: is truncated: {} bytes, and a profile's "
                             "header alone has {}; copy it again",
                             Name, Bytes.size(), LOOPSCOPE_PROFILE_PAGE)};
  ProfileBytes Result(Bytes, std::move(File));
  // A calibration read in the middle of an update has the values from before or
  // after it.
  copyGuarded(Bytes.data(),
              offsetof(loopscope_profile_header, calibration_sequence),
              Result.Header);
  const loopscope_profile_header &H = Result.Header;
  if (H.version_major != LOOPSCOPE_PROFILE_VERSION_MAJOR)
    return Error{fmt::format(
        "{}: has profile format {}.{}, and this loopscope reads {}.x; use the "
        "loopscope that belongs to the runtime that wrote it",
        Name, H.version_major, H.version_minor,
        LOOPSCOPE_PROFILE_VERSION_MAJOR)};
  if (H.header_size < LOOPSCOPE_PROFILE_PAGE ||
      H.header_size % LOOPSCOPE_PROFILE_PAGE != 0 ||
      H.header_size > Bytes.size())
    return Error{
        fmt::format("{}: is damaged: its header says it is {} bytes long", Name,
                    H.header_size)};
  Result.findChunks();
  // The entries that the chunks' heads count are read after the heads, also by
  // processors that don't keep loads in order.
  std::atomic_thread_fence(std::memory_order_acquire);
  return Result;
}

void ProfileBytes::findChunks() {
  if (Header.used_bytes > Bytes.size())
    Missing = Header.used_bytes - Bytes.size();
  bool IsCopy = (Header.flags & LOOPSCOPE_FLAG_COPY) != 0;
  size_t End = std::min<uint64_t>(Header.used_bytes, Bytes.size());
  size_t At = Header.header_size;
  while (At < End && End - At >= sizeof(loopscope_chunk_header)) {
    loopscope_chunk_header Head{};
    if (!copyOutside(At, Head) || Head.magic != LOOPSCOPE_CHUNK_MAGIC ||
        Head.size < sizeof(Head) || Head.size % LOOPSCOPE_PROFILE_PAGE != 0 ||
        (Head.size > End - At && Missing == 0)) {
      ++Bad; // what follows cannot be found any more
      return;
    }
    size_t Size = std::min<uint64_t>(Head.size, End - At);
    uint64_t Counted = IsCopy ? Head.copied_from : At;
    Chunks.push_back(
        {Head, At + sizeof(Head), Counted + sizeof(Head), Size - sizeof(Head)});
    At += Size;
  }
}

template <typename Function>
void ProfileBytes::forEachEntry(uint32_t Type, size_t Size, bool All,
                                Function Visit) {
  for (const Chunk &C : Chunks) {
    if (C.Header.type != Type)
      continue;
    uint64_t Step = C.Header.entry_size;
    if (Step < Size || !isAligned(Step) || C.Header.used > C.Header.capacity ||
        C.Header.first_index > LOOPSCOPE_NONE - C.Header.capacity) {
      ++Bad;
      continue;
    }
    uint64_t Count = All ? C.Header.capacity : C.Header.used;
    uint64_t Present = std::min(Count, C.Present / Step);
    if (Present < Count && Missing == 0)
      ++Bad; // more entries than the chunk is long
    for (uint64_t I = 0; I < Present; ++I)
      Visit(C, static_cast<uint32_t>(C.Header.first_index + I),
            C.Offset + static_cast<size_t>(I * Step));
  }
}

std::vector<ThreadRecord> ProfileBytes::threads() {
  std::vector<ThreadRecord> Result;
  forEachEntry(LOOPSCOPE_CHUNK_THREADS, sizeof(loopscope_profile_thread), true,
               [&](const Chunk &, uint32_t Index, size_t At) {
                 using Thread = loopscope_profile_thread;
                 if (loadAcquire(Bytes.data() + At + offsetof(Thread, state)) !=
                     0)
                   Result.push_back({Index, copyFrom<Thread>(Bytes, At)});
               });
  return Result;
}

std::vector<SiteRecord> ProfileBytes::sites() {
  std::vector<SiteRecord> Result;
  forEachEntry(LOOPSCOPE_CHUNK_SITES, sizeof(loopscope_profile_site), false,
               [&](const Chunk &, uint32_t Index, size_t At) {
                 Result.push_back(
                     {Index, copyFrom<loopscope_profile_site>(Bytes, At)});
               });
  return Result;
}

std::vector<NodeRecord> ProfileBytes::nodes() {
  std::vector<NodeRecord> Result;
  forEachEntry(
      LOOPSCOPE_CHUNK_NODES, sizeof(loopscope_profile_node), true,
      [&](const Chunk &C, uint32_t Index, size_t At) {
        const std::byte *From = Bytes.data() + At;
        if (loadAcquire(From) != 1)
          return;
        NodeRecord Record;
        Record.Index = Index;
        Record.Torn = !copyGuarded(
            From, offsetof(loopscope_profile_node, sequence), Record.Node);
        uint64_t Histograms =
            static_cast<uint64_t>(C.Header.capacity) * C.Header.entry_size;
        uint64_t Mine =
            Histograms + static_cast<uint64_t>(Index - C.Header.first_index) *
                             sizeof(loopscope_histogram);
        if (Mine + sizeof(loopscope_histogram) <= C.Present)
          Record.Histogram = Bytes.data() + C.Offset + Mine;
        Result.push_back(Record);
      });
  return Result;
}

std::vector<EventBlock> ProfileBytes::eventBlocks() {
  struct Head {
    uint64_t Sequence, BaseTicks;
    uint32_t Thread;
  };
  using Block = loopscope_event_block;
  static_assert(offsetof(Head, BaseTicks) == offsetof(Block, base_ticks) &&
                offsetof(Head, Thread) == offsetof(Block, thread));
  std::vector<EventBlock> Result;
  forEachEntry(LOOPSCOPE_CHUNK_EVENTS, sizeof(Block), false,
               [&](const Chunk &, uint32_t, size_t At) {
                 // What follows the sequence number was stored before it.
                 uint64_t Sequence = 0;
                 Head Its{};
                 if (copyOutside(At, Sequence) && Sequence != 0 &&
                     copyOutside(At, Its))
                   Result.push_back({Sequence, Its.BaseTicks, Its.Thread, At});
               });
  std::sort(Result.begin(), Result.end(),
            [](const EventBlock &A, const EventBlock &B) {
              return A.Sequence < B.Sequence;
            });
  return Result;
}

bool ProfileBytes::readBlock(const EventBlock &Block,
                             loopscope_event_block &Into) const {
  uint64_t After = 0;
  return copyOutside(Block.Offset, Into) && Into.sequence == Block.Sequence &&
         copyOutside(Block.Offset, After) && After == Block.Sequence;
}

bool loopscope::readBlock(const OpenFile &File, const EventBlock &Block,
                          loopscope_event_block &Into) {
  uint64_t After = 0;
  return readAt(File, Block.Offset, Into) && Into.sequence == Block.Sequence &&
         readAt(File, Block.Offset, After) && After == Block.Sequence;
}

template <typename T, size_t Least>
std::vector<GuardedRecord<T>> ProfileBytes::guarded(uint32_t Type) {
  struct Earlier {
    std::byte Bytes[Least];
  };
  std::vector<GuardedRecord<T>> Result;
  forEachEntry(
      Type, Least, false, [&](const Chunk &C, uint32_t Index, size_t At) {
        GuardedRecord<T> Next;
        Next.Index = Index;
        const std::byte *From = Bytes.data() + At;
        if (C.Header.entry_size >= sizeof(T)) {
          Next.Torn = !copyGuarded(From, offsetof(T, sequence), Next.Value);
        } else {
          Earlier Part{};
          Next.Torn = !copyGuarded(From, offsetof(T, sequence), Part);
          std::memcpy(&Next.Value, &Part, Least);
        }
        Result.push_back(Next);
      });
  return Result;
}

template <typename T>
std::vector<GuardedRecord<T>> ProfileBytes::plain(uint32_t Type) {
  std::vector<GuardedRecord<T>> Result;
  forEachEntry(Type, sizeof(T), false,
               [&](const Chunk &, uint32_t Index, size_t At) {
                 Result.push_back({Index, copyFrom<T>(Bytes, At), false});
               });
  return Result;
}

std::vector<GuardedRecord<loopscope_gpu_device>> ProfileBytes::gpuDevices() {
  return guarded<loopscope_gpu_device>(LOOPSCOPE_CHUNK_GPU_DEVICES);
}

std::vector<GuardedRecord<loopscope_gpu_function>>
ProfileBytes::gpuFunctions() {
  return plain<loopscope_gpu_function>(LOOPSCOPE_CHUNK_GPU_FUNCTIONS);
}

std::vector<GuardedRecord<loopscope_gpu_work>> ProfileBytes::gpuWork() {
  return guarded<loopscope_gpu_work>(LOOPSCOPE_CHUNK_GPU_WORK);
}

std::vector<GuardedRecord<loopscope_gpu_node>> ProfileBytes::gpuNodes() {
  return guarded<loopscope_gpu_node>(LOOPSCOPE_CHUNK_GPU_NODES);
}

std::vector<GuardedRecord<loopscope_gpu_overlap>> ProfileBytes::gpuOverlaps() {
  return guarded<loopscope_gpu_overlap>(LOOPSCOPE_CHUNK_GPU_OVERLAPS);
}

std::vector<GuardedRecord<loopscope_gpu_same_work>>
ProfileBytes::gpuSameWork() {
  return guarded<loopscope_gpu_same_work>(LOOPSCOPE_CHUNK_GPU_SAME_WORK);
}

std::vector<GuardedRecord<loopscope_gpu_wait>> ProfileBytes::gpuWaits() {
  return guarded<loopscope_gpu_wait>(LOOPSCOPE_CHUNK_GPU_WAITS);
}

std::vector<GuardedRecord<loopscope_metric>> ProfileBytes::metrics() {
  return plain<loopscope_metric>(LOOPSCOPE_CHUNK_METRICS);
}

std::vector<GuardedRecord<loopscope_metric_sum>> ProfileBytes::metricSums() {
  return guarded<loopscope_metric_sum>(LOOPSCOPE_CHUNK_METRIC_SUMS);
}

std::vector<GuardedRecord<loopscope_counter_value>> ProfileBytes::counters() {
  return plain<loopscope_counter_value>(LOOPSCOPE_CHUNK_COUNTERS);
}

std::vector<GuardedRecord<loopscope_node_sum>> ProfileBytes::nodeSums() {
  return guarded<loopscope_node_sum>(LOOPSCOPE_CHUNK_NODE_SUMS);
}

std::vector<GuardedRecord<loopscope_whatif_block>>
ProfileBytes::whatifBlocks() {
  return plain<loopscope_whatif_block>(LOOPSCOPE_CHUNK_WHATIF);
}

std::vector<GuardedRecord<loopscope_history_lane>>
ProfileBytes::historyLanes() {
  return plain<loopscope_history_lane>(LOOPSCOPE_CHUNK_HISTORY_LANES);
}

std::vector<GuardedRecord<loopscope_history_bin>> ProfileBytes::historyBins() {
  return plain<loopscope_history_bin>(LOOPSCOPE_CHUNK_HISTORY);
}

std::vector<GuardedRecord<loopscope_history_steps>>
ProfileBytes::historySteps() {
  return plain<loopscope_history_steps>(LOOPSCOPE_CHUNK_HISTORY_STEPS);
}

std::vector<GuardedRecord<loopscope_stack>> ProfileBytes::stacks() {
  return plain<loopscope_stack>(LOOPSCOPE_CHUNK_STACKS);
}

std::vector<GuardedRecord<loopscope_frame>> ProfileBytes::stackFrames() {
  return plain<loopscope_frame>(LOOPSCOPE_CHUNK_FRAMES);
}

std::vector<GuardedRecord<loopscope_call_count>> ProfileBytes::callCounts() {
  return plain<loopscope_call_count>(LOOPSCOPE_CHUNK_CALL_COUNTS);
}

std::vector<GuardedRecord<loopscope_code>> ProfileBytes::code() {
  return plain<loopscope_code>(LOOPSCOPE_CHUNK_CODE);
}

std::vector<GuardedRecord<loopscope_peer>> ProfileBytes::peers() {
  return plain<loopscope_peer>(LOOPSCOPE_CHUNK_PEERS);
}

std::vector<GuardedRecord<loopscope_operator_link>>
ProfileBytes::operatorLinks() {
  return plain<loopscope_operator_link>(LOOPSCOPE_CHUNK_OPERATOR_LINKS);
}

std::vector<GuardedRecord<loopscope_range>> ProfileBytes::ranges() {
  return guarded<loopscope_range, offsetof(loopscope_range, ended_again)>(
      LOOPSCOPE_CHUNK_RANGES);
}

std::vector<GuardedRecord<loopscope_node_key>> ProfileBytes::nodeKeys() {
  return plain<loopscope_node_key>(LOOPSCOPE_CHUNK_NODE_KEYS);
}

std::vector<GuardedRecord<loopscope_fact_record>> ProfileBytes::facts() {
  return guarded<loopscope_fact_record>(LOOPSCOPE_CHUNK_FACTS);
}

std::vector<GuardedRecord<loopscope_value_record>> ProfileBytes::values() {
  return guarded<loopscope_value_record>(LOOPSCOPE_CHUNK_VALUES);
}

std::vector<GuardedRecord<loopscope_part>> ProfileBytes::parts() {
  return plain<loopscope_part>(LOOPSCOPE_CHUNK_PARTS);
}

std::vector<GuardedRecord<loopscope_gpu_memory>> ProfileBytes::gpuMemory() {
  return guarded<loopscope_gpu_memory,
                 offsetof(loopscope_gpu_memory, held_at_peak)>(
      LOOPSCOPE_CHUNK_GPU_MEMORY);
}

std::vector<GuardedRecord<loopscope_gpu_use>> ProfileBytes::gpuUses() {
  return guarded<loopscope_gpu_use>(LOOPSCOPE_CHUNK_GPU_USE);
}

template <typename T>
std::vector<T> ProfileBytes::ring(uint32_t Type, uint64_t &Torn) {
  static_assert(offsetof(T, sequence) == 0);
  std::vector<T> Result;
  forEachEntry(Type, sizeof(T), true, [&](const Chunk &, uint32_t, size_t At) {
    uint64_t Sequence = loadAcquire64(Bytes.data() + At);
    if (Sequence == 0)
      return;
    auto Slot = copyFrom<T>(Bytes, At);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (loadAcquire64(Bytes.data() + At) != Sequence)
      ++Torn;
    else
      Result.push_back(Slot);
  });
  std::sort(Result.begin(), Result.end(),
            [](const T &A, const T &B) { return A.sequence < B.sequence; });
  return Result;
}

std::vector<loopscope_gpu_event> ProfileBytes::gpuEvents(uint64_t &Torn) {
  return ring<loopscope_gpu_event>(LOOPSCOPE_CHUNK_GPU_EVENTS, Torn);
}

std::vector<loopscope_gpu_memory_event>
ProfileBytes::gpuMemoryEvents(uint64_t &Torn) {
  return ring<loopscope_gpu_memory_event>(LOOPSCOPE_CHUNK_GPU_MEMORY_EVENTS,
                                          Torn);
}

std::vector<loopscope_range_event> ProfileBytes::rangeEvents(uint64_t &Torn) {
  return ring<loopscope_range_event>(LOOPSCOPE_CHUNK_RANGE_EVENTS, Torn);
}

std::vector<loopscope_own_step> ProfileBytes::ownSteps(uint64_t &Torn) {
  return ring<loopscope_own_step>(LOOPSCOPE_CHUNK_OWN_STEPS, Torn);
}

std::vector<loopscope_collective> ProfileBytes::collectives(uint64_t &Torn) {
  return ring<loopscope_collective>(LOOPSCOPE_CHUNK_COLLECTIVES, Torn);
}

// TEXT: "PLACE NAME; PLACE NAME".
static void addFunctions(std::string_view Text,
                         std::map<std::string, std::string> &To) {
  constexpr std::string_view Between = "; ";
  while (!Text.empty()) {
    size_t End = std::min(Text.find(Between), Text.size());
    std::string_view Each = Text.substr(0, End);
    // Both may contain blanks ("operator bool"), but a place ends with a
    // number.
    size_t Blank = Each.find(' ', std::min(Each.find(':'), Each.size()));
    if (Blank != Each.npos)
      To.emplace(Each.substr(0, Blank), Each.substr(Blank + 1));
    Text.remove_prefix(std::min(End + Between.size(), Text.size()));
  }
}

std::vector<std::string>
ProfileBytes::missingFiles(std::map<std::string, std::string> &NotHooked) {
  std::vector<std::string> Result;
  forEachEntry(
      LOOPSCOPE_CHUNK_MISSING, sizeof(loopscope_profile_string), false,
      [&](const Chunk &, uint32_t, size_t At) {
        std::string Name = text(copyFrom<loopscope_profile_string>(Bytes, At));
        constexpr std::string_view Functions = LOOPSCOPE_SMALL_FUNCTIONS;
        if (Name.starts_with(Functions)) {
          addFunctions(std::string_view(Name).substr(Functions.size()),
                       NotHooked);
          return;
        }
        // Each source that includes a header names it.
        if (std::find(Result.begin(), Result.end(), Name) == Result.end())
          Result.push_back(std::move(Name));
      });
  return Result;
}

std::string ProfileBytes::text(const loopscope_profile_string &String) {
  for (const Chunk &C : Chunks) {
    if (C.Header.type != LOOPSCOPE_CHUNK_STRINGS || String.offset < C.Counted)
      continue;
    uint64_t Within = String.offset - C.Counted;
    uint64_t Length = std::min<uint64_t>(C.Header.used, C.Present);
    if (Within > Length || String.length > Length - Within)
      continue;
    return printable(
        {reinterpret_cast<const char *>(Bytes.data()) + C.Offset + Within,
         String.length});
  }
  if (String.length != 0)
    ++Bad;
  return {};
}
