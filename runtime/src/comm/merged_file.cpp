// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of profiles, and the file that holds them.

#include "merged_file.h"

#include "base/clock.h"
#include "base/free_name.h"
#include "base/memory.h"
#include "base/slow_lock.h"
#include "process/facts.h"
#include "process/identity.h"
#include "profile/chunks.h"
#include "profile/files.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "profile/profile_name.h"
#include "tree/own_tree.h"

#include <loopscope/profile_copy.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
using Member = loopscope_merged_member;
constexpr uint64_t HeaderSize = sizeof(loopscope_merged_header);

uint64_t listSize(uint32_t Ranks) {
  return loopscope::profile_copy::wholePages(HeaderSize +
                                             Ranks * sizeof(Member));
}
} // namespace

void ProfileCopy::release() {
  if (Bytes != nullptr)
    munmap(Bytes, Mapped);
  *this = {};
}

// In ENTRIES, a copy of the first COUNT of C, the call of MPI_Finalize that
// makes it hasn't begun.
static void closeCaller(const Chunk &C, uint32_t Count, char *Entries) {
  Thread *T = ownTree();
  if (C.type != LOOPSCOPE_CHUNK_NODES || T == nullptr)
    return;
  const Node *Caller = links(T).Current;
  const loopscope_site *Site = siteOf(Caller);
  uint32_t At = Caller->index - C.first_index;
  if (Site != nullptr && strcmp(Site->__name, "MPI_Finalize") == 0 &&
      Caller->index >= C.first_index && At < Count)
    reinterpret_cast<loopscope_profile_node *>(Entries +
                                               uint64_t(At) * C.entry_size)
        ->open = 0;
}

// Copies the profile within the limits that LIMITS_OF gives for the sequence of
// its newest collective.
template <typename Function> static ProfileCopy copyWithin(Function LimitsOf) {
  using namespace loopscope::profile_copy;
  SlowLock Lock;
  if (Header == nullptr)
    return {};
  calibrate(*Header);
  auto SourceOf = [](Chunk *C) { return Source{C, chunkOffset(C)}; };
  uint64_t Newest = 0;
  size_t Chunks = 0;
  for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C), ++Chunks)
    if (uint64_t Next = newestCollective(SourceOf(C)); Next > Newest)
      Newest = Next;
  Limits Taken = LimitsOf(Newest);
  // Other threads go on recording; what they add to a chunk meanwhile isn't
  // copied.
  auto *Counts = static_cast<uint32_t *>(mapMemory(Chunks * sizeof(uint32_t)));
  ProfileCopy Copy;
  uint64_t Size = LOOPSCOPE_PROFILE_PAGE;
  if (Counts == nullptr)
    return {};
  size_t At = 0;
  for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C), ++At) {
    Counts[At] = entriesCopied(SourceOf(C), Taken);
    Size += copySize(SourceOf(C), Counts[At], Taken);
  }
  Copy.Bytes = static_cast<char *>(mapMemory(Size));
  if (Copy.Bytes != nullptr) {
    Copy.Size = Copy.Mapped = Size;
    copyHeader(*Header, Size, Taken,
               *reinterpret_cast<loopscope_profile_header *>(Copy.Bytes));
    char *To = Copy.Bytes + LOOPSCOPE_PROFILE_PAGE;
    At = 0;
    for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C), ++At) {
      copyChunk(SourceOf(C), Counts[At], Taken, To);
      closeCaller(*C, Counts[At], To + sizeof(Chunk));
      To += copySize(SourceOf(C), Counts[At], Taken);
    }
  }
  munmap(Counts, Chunks * sizeof(uint32_t));
  return Copy;
}

ProfileCopy loopscope::runtime::copyProfile(uint64_t Ranks) {
  return copyWithin(
      [=](uint64_t Newest) { return profile_copy::limitsOf(Newest, Ranks); });
}

ProfileCopy loopscope::runtime::copyBriefly(uint32_t Samples) {
  return copyWithin([=](uint64_t Newest) {
    return profile_copy::briefLimits(Newest, Samples);
  });
}

bool MergedFile::fail(int Error, Text &Why) {
  if (Why.size() == 0)
    Why << "cannot write the merged file " << Path << ": " << reasonOf(Error)
        << "; read the ranks' own profiles, where they ran";
  if (Descriptor >= 0) {
    unlink(Path);
    close(Descriptor);
    Descriptor = -1;
  }
  return false;
}

bool MergedFile::write(const void *Data, uint64_t Size, uint64_t Offset) {
  return writeAll(Descriptor, Data, Size, Offset);
}

bool MergedFile::open(uint32_t Count, const char *Output,
                      const ProfileCopy &Base, Text &Why) {
  int Saved = errno;
  Ranks = Count;
  TextBuffer<1024> Wanted;
  makeOutputPath(Output, Wanted, AllRanks);
  Text Name(Path, sizeof(Path));
  Descriptor = aboveStreams(
      makeUnderFreeName(Wanted.c_str(), stemLength(Wanted.c_str()), Name,
                        [](const char *Candidate) {
                          return ::open(Candidate,
                                        O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
                                            O_CLOEXEC,
                                        0666);
                        }),
      F_DUPFD_CLOEXEC);
  uint64_t Listed = listSize(Ranks);
  void *Memory = Descriptor < 0 ? nullptr : mapMemory(Listed);
  if (Memory == nullptr)
    return fail(errno, Why);
  auto *Head = static_cast<loopscope_merged_header *>(Memory);
  memcpy(Head->magic, LOOPSCOPE_MERGED_MAGIC, sizeof(Head->magic));
  Head->version_major = LOOPSCOPE_PROFILE_VERSION_MAJOR;
  Head->version_minor = LOOPSCOPE_PROFILE_VERSION_MINOR;
  Head->header_size = static_cast<uint32_t>(Listed);
  Head->members = Ranks;
  Head->member_size = sizeof(Member);
  Members = reinterpret_cast<Member *>(Head + 1);
  End = Listed;
  if (Base.Size != 0) {
    Head->base_offset = End;
    Head->base_size = Base.Size;
    End += Base.Size;
  }
  bool Written = write(Memory, Listed, 0) &&
                 write(Base.Bytes, Base.Size, Head->base_offset);
  int Error = errno;
  errno = Saved;
  return Written || fail(Error, Why);
}

bool MergedFile::add(const CopyPiece &Piece, Text &Why) {
  int Saved = errno;
  if (Descriptor < 0 || Piece.Rank >= Ranks)
    return false;
  Member &To = Members[Piece.Rank];
  if (Piece.Offset == 0) {
    Whole -= To.offset != 0 && To.arrived == To.size ? 1 : 0;
    To = {placeFor(Piece), Piece.Size, 0, 0};
    End = To.offset + Piece.Size;
  }
  if (Piece.Size != To.size || Piece.Offset != To.arrived ||
      Piece.Count > To.size - To.arrived)
    return false; // pieces of one rank arrive in order
  bool Written = write(Piece.Bytes, Piece.Count, To.offset + Piece.Offset);
  if (Written) {
    To.arrived += Piece.Count;
    if (To.arrived == To.size) {
      ++Whole;
      Written =
          write(&To, sizeof(To), HeaderSize + Piece.Rank * sizeof(Member));
    }
  }
  int Error = errno;
  errno = Saved;
  return Written || fail(Error, Why);
}

uint64_t MergedFile::placeFor(const CopyPiece &Piece) const {
  constexpr const char *Magic = LOOPSCOPE_PACKED_MAGIC;
  bool IsPacked =
      Piece.Count >= sizeof(loopscope_packed_profile) &&
      memcmp(Piece.Bytes, Magic, sizeof(loopscope_packed_profile::magic)) == 0;
  return IsPacked ? End : profile_copy::wholePages(End);
}

uint32_t MergedFile::finish() {
  int Saved = errno;
  // Rank 0's copy alone is no more than its own profile.
  uint32_t Done = Descriptor < 0 || Whole < 2 ? 0 : Whole;
  if (Descriptor >= 0) {
    if (Done == 0)
      unlink(Path);
    close(Descriptor);
  }
  if (Members != nullptr)
    munmap(reinterpret_cast<char *>(Members) - HeaderSize, listSize(Ranks));
  Descriptor = -1;
  Members = nullptr;
  errno = Saved;
  return Done;
}
