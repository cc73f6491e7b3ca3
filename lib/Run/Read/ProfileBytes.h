// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The untrusted bytes of a profile: chunks, entries and strings, each handed
// out only after its place has been checked against the file. The stage between
// the mapped file and the model:
//
//   bytes -> ProfileBytes (records, checked) -> ProfileReader (Run)

#ifndef LOOPSCOPE_RUN_READ_PROFILEBYTES_H
#define LOOPSCOPE_RUN_READ_PROFILEBYTES_H

#include "Run/Read/MappedFile.h"
#include "Support/Result.h"

#include <loopscope/profile_format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace loopscope {

/// A node deeper than any runtime nests, or an open span: what is deeper in a
/// hostile file is left out.
constexpr uint32_t MaxTreeDepth = 4096;

/// The T at byte \p At of \p Bytes, which hold it whole.
template <typename T> T copyFrom(std::span<const std::byte> Bytes, size_t At) {
  T Value;
  std::memcpy(&Value, Bytes.data() + At, sizeof(T));
  return Value;
}

/// A consistent copy of a node's record, and the place of its histogram.
struct NodeRecord {
  uint32_t Index = 0; ///< as the file counts
  loopscope_profile_node Node{};
  /// LOOPSCOPE_HISTOGRAM_BUCKETS counts; null when the file ends before them.
  const std::byte *Histogram = nullptr;
  bool Torn = false; ///< the writer was in the middle of it
};

/// A thread's record.
struct ThreadRecord {
  uint32_t Index = 0;
  loopscope_profile_thread Thread{};
};

/// A site's record.
struct SiteRecord {
  uint32_t Index = 0;
  loopscope_profile_site Site{};
};

/// A consistent copy of a record guarded by a sequence number.
template <typename T> struct GuardedRecord {
  uint32_t Index = 0; ///< as the file counts
  T Value{};
  bool Torn = false; ///< the writer was in the middle of it
};

/// A block of timeline events and its position in the order of writing.
struct EventBlock {
  uint64_t Sequence = 0;
  uint64_t BaseTicks = 0; ///< no event of the block is older
  uint32_t Thread = 0;    ///< as the file counts
  size_t Offset = 0;      ///< within the file
};

/// Copies \p Block of \p File; false if the writer has begun to overwrite it,
/// or the file has become shorter.
bool readBlock(const OpenFile &File, const EventBlock &Block,
               loopscope_event_block &Into);

/// Checked access to a profile's records. Refers to the bytes it was created
/// from.
class ProfileBytes {
public:
  /// Checks the header and finds the chunks. \p Name is the file's, for errors.
  /// Of a \p File that is mapped to \p Bytes, the timeline's pages stay
  /// untouched: its blocks are read, which takes no memory of the process.
  static Result<ProfileBytes> parse(std::span<const std::byte> Bytes,
                                    const std::string &Name,
                                    std::shared_ptr<const OpenFile> File = {});

  /// The file that was given to parse(); may be null.
  const std::shared_ptr<const OpenFile> &file() const { return File; }

  /// The header, copied once, with a consistent clock calibration.
  const loopscope_profile_header &header() const { return Header; }

  std::vector<ThreadRecord> threads();
  std::vector<SiteRecord> sites();
  std::vector<NodeRecord> nodes();
  /// The timeline's blocks, in the order in which they were begun. Reads only
  /// their headers.
  std::vector<EventBlock> eventBlocks();
  /// Copies a block; false if the writer has begun to overwrite it.
  bool readBlock(const EventBlock &Block, loopscope_event_block &Into) const;
  std::vector<GuardedRecord<loopscope_gpu_device>> gpuDevices();
  std::vector<GuardedRecord<loopscope_gpu_function>> gpuFunctions();
  std::vector<GuardedRecord<loopscope_gpu_work>> gpuWork();
  std::vector<GuardedRecord<loopscope_gpu_node>> gpuNodes();
  std::vector<GuardedRecord<loopscope_gpu_overlap>> gpuOverlaps();
  std::vector<GuardedRecord<loopscope_gpu_same_work>> gpuSameWork();
  std::vector<GuardedRecord<loopscope_gpu_wait>> gpuWaits();
  std::vector<GuardedRecord<loopscope_gpu_memory>> gpuMemory();
  std::vector<GuardedRecord<loopscope_gpu_use>> gpuUses();
  /// The GPU timeline's slots in the order of writing. Those that are being
  /// overwritten are left out and added to \p Torn.
  std::vector<loopscope_gpu_event> gpuEvents(uint64_t &Torn);
  std::vector<loopscope_gpu_memory_event> gpuMemoryEvents(uint64_t &Torn);
  /// The same for the ring of collectives.
  std::vector<GuardedRecord<loopscope_peer>> peers();
  std::vector<GuardedRecord<loopscope_operator_link>> operatorLinks();
  std::vector<loopscope_collective> collectives(uint64_t &Torn);
  std::vector<loopscope_own_step> ownSteps(uint64_t &Torn);
  std::vector<GuardedRecord<loopscope_metric>> metrics();
  std::vector<GuardedRecord<loopscope_metric_sum>> metricSums();
  std::vector<GuardedRecord<loopscope_counter_value>> counters();
  std::vector<GuardedRecord<loopscope_node_sum>> nodeSums();
  std::vector<GuardedRecord<loopscope_range>> ranges();
  /// The slots of the ranges' timeline in the order of writing.
  std::vector<loopscope_range_event> rangeEvents(uint64_t &Torn);
  std::vector<GuardedRecord<loopscope_node_key>> nodeKeys();
  std::vector<GuardedRecord<loopscope_fact_record>> facts();
  std::vector<GuardedRecord<loopscope_value_record>> values();
  std::vector<GuardedRecord<loopscope_part>> parts();
  std::vector<GuardedRecord<loopscope_whatif_block>> whatifBlocks();
  std::vector<GuardedRecord<loopscope_history_lane>> historyLanes();
  /// All places of the history, unused ones too.
  std::vector<GuardedRecord<loopscope_history_bin>> historyBins();
  std::vector<GuardedRecord<loopscope_history_steps>> historySteps();
  /// All slots of the tables, free ones too.
  std::vector<GuardedRecord<loopscope_frame>> stackFrames();
  std::vector<GuardedRecord<loopscope_call_count>> callCounts();
  std::vector<GuardedRecord<loopscope_stack>> stacks();
  std::vector<GuardedRecord<loopscope_code>> code();
  /// Source files built without hooks; in \p NotHooked, by place, functions
  /// without a hook because an earlier run shows them to be small.
  std::vector<std::string>
  missingFiles(std::map<std::string, std::string> &NotHooked);

  /// The text of \p String, safe to print: control characters and bytes that
  /// aren't UTF-8 are replaced. Empty, and counted as bad, if it isn't entirely
  /// inside a string chunk.
  std::string text(const loopscope_profile_string &String);

  /// Records that were out of bounds so far.
  uint64_t badRecords() const { return Bad; }
  /// Bytes that the header promises but the file lacks.
  uint64_t bytesMissing() const { return Missing; }

private:
  struct Chunk {
    loopscope_chunk_header Header;
    size_t Offset;    ///< of the first entry
    uint64_t Counted; ///< the same as references to strings have it
    size_t Present;   ///< bytes of entries that are in the file
  };

  ProfileBytes(std::span<const std::byte> Bytes,
               std::shared_ptr<const OpenFile> File)
      : Bytes(Bytes), File(std::move(File)) {}
  void findChunks();
  /// Calls \p Visit(chunk, index, offset) for the entries of each chunk of \p
  /// Type that are in the file and at least \p Size bytes long: the used ones
  /// or, with \p All, all that the chunk has room for.
  template <typename Function>
  void forEachEntry(uint32_t Type, size_t Size, bool All, Function Visit);

  /// The published records of TYPE. Entries of at least LEAST bytes are whole
  /// ones of an earlier version: what they lack is 0.
  template <typename T, size_t Least = sizeof(T)>
  std::vector<GuardedRecord<T>> guarded(uint32_t Type);
  /// The same for a type without a sequence number: records are written once
  /// before they are published, or by single stores.
  template <typename T> std::vector<GuardedRecord<T>> plain(uint32_t Type);
  /// The slots of the ring of TYPE that are used, in the order of writing.
  template <typename T> std::vector<T> ring(uint32_t Type, uint64_t &Torn);

  /// Copies what may be in the timeline; false if the file has become shorter.
  template <typename T> bool copyOutside(size_t At, T &Into) const;

  std::span<const std::byte> Bytes;
  std::shared_ptr<const OpenFile> File; ///< may be null
  loopscope_profile_header Header{};
  std::vector<Chunk> Chunks;
  uint64_t Bad = 0;
  uint64_t Missing = 0;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_PROFILEBYTES_H
