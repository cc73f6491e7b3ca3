// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profile's memory: a file that is mapped in pieces as it grows, or
// anonymous memory where no file can be had. One per process.
//
//   openProfile -> addChunk, addChunk, ... -> snapshot (at exit, for the
//   report)
//
// No descriptor stays open: the file is opened again by name, and checked to be
// the same one, each time it grows. So a program that closes every descriptor,
// or one that counts on their numbers, finds nothing of ours.

#ifndef LOOPSCOPE_CORE_PROFILE_FILE_H
#define LOOPSCOPE_CORE_PROFILE_FILE_H

#include "system.h"
#include "tree.h"

namespace loopscope::runtime {

/// A chunk in memory; its entries follow the header.
using Chunk = loopscope_chunk_header;

/// The header of the open profile; null while there is none. Published and read
/// as one atomic word; all other state of the file is profile_file.cpp's.
extern loopscope_profile_header *Header;

/// Makes the header page, in the file PATH that doesn't exist yet (its name
/// gets a number when it does), or in anonymous memory: WHY then says what was
/// wrong with the file. Null when there is no memory at all. The caller fills
/// the page and then publishes it as Header.
loopscope_profile_header *openProfile(const char *Path, Text &Why);

/// Gives the file its name, once the page is filled. False: WHY says why it has
/// none; recording goes on in memory.
bool nameProfile(const char *Path, Text &Why);

/// Forgets the profile without touching it: for a forked child.
void resetProfile();

/// Appends a chunk for CAPACITY entries of ENTRY_SIZE bytes, with EXTRA_SIZE
/// bytes more for each entry after all of them. Null without memory. Call with
/// the slow lock held.
Chunk *addChunk(loopscope_chunk_type Type, uint32_t FirstIndex,
                uint32_t Capacity, uint32_t EntrySize, uint32_t ExtraSize);

/// A chunk with room for WANTED more entries: LAST, or a new one for CAPACITY
/// of them, which LAST then is. Null without memory. Lock held.
Chunk *roomFor(Chunk *&Last, loopscope_chunk_type Type, uint32_t Wanted,
               uint32_t Capacity, uint32_t EntrySize);

/// Makes the next COUNT entries of a chunk visible to readers.
inline void publish(Chunk *C, uint32_t Count) {
  __atomic_store_n(&C->used, C->used + Count, __ATOMIC_RELEASE);
}

/// The chunks in order of making; null after the last.
Chunk *firstChunk();
Chunk *nextChunk(Chunk *C);

/// The first byte after the chunk's header.
inline char *entries(Chunk *C) {
  return reinterpret_cast<char *>(C) + sizeof(Chunk);
}
/// Where in the file the chunk lies.
uint64_t chunkOffset(Chunk *C);

/// Writes SIZE bytes to the file; beyond the size limit, too, it is an error.
/// False: errno says why not.
bool writeAll(int Descriptor, const void *Data, uint64_t Size, uint64_t Offset);

/// Removes the profile's file, which is elsewhere, too.
void removeProfile();

/// What an error number of a file means, in words.
const char *reasonOf(int Error);

/// Whether everything is in the file.
bool isWhole();

/// Writes what is in memory only to the file. False: ERROR says why not.
bool completeFile(int &Error);

/// Writes everything to the new file PATH, or a numbered name beside it, which
/// is the profile's file from then on. False: ERROR says why not.
bool saveCopy(const char *Path, int &Error);

/// The profile's path, "" in anonymous memory.
const char *profilePath();

/// A path under which a child process can read the whole profile now: its file,
/// or an in-memory copy when the file is gone, was never made or lacks chunks.
/// "" when neither can be had.
void snapshot(Text &Path);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_PROFILE_FILE_H
