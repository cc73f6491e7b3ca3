// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profile's memory: a file that is mapped in pieces as it grows, or
// anonymous memory if no file can be made. One per process.
//
//   openProfile -> addChunk, addChunk, ... -> snapshot (at exit, for the
//   report)
//
// lost_file.h says what happens if somebody truncates it meanwhile.
//
// No descriptor stays open: the file is opened again by name, and checked to be
// the same one, each time it grows. So a program that closes every descriptor,
// or relies on their numbers, meets none of ours.

#ifndef LOOPSCOPE_PROFILE_PROFILE_FILE_H
#define LOOPSCOPE_PROFILE_PROFILE_FILE_H

#include "base/system.h"
#include "chunks.h"

namespace loopscope::runtime {

/// The header of the open profile; null while there is none. Published and read
/// as one atomic word; profile_file.cpp has the rest of the file's state.
extern loopscope_profile_header *Header;

/// Makes the header page in a new file PATH (with a number if the name is
/// taken), or in anonymous memory; WHY then says what went wrong with the file.
/// Null if out of memory. The caller fills the page and then publishes it as
/// Header.
loopscope_profile_header *openProfile(const char *Path, Text &Why);

/// Gives the file its name once the page is filled. False: WHY says why that
/// failed; recording goes on in memory.
bool nameProfile(const char *Path, Text &Why);

/// Forgets the profile without touching it: for a forked child.
void resetProfile();

/// Appends a chunk for CAPACITY entries of ENTRY_SIZE bytes, followed by
/// EXTRA_SIZE bytes for each entry. Null if out of memory. Call with the slow
/// lock held.
Chunk *addChunk(loopscope_chunk_type Type, uint32_t FirstIndex,
                uint32_t Capacity, uint32_t EntrySize, uint32_t ExtraSize);

/// A chunk with room for WANTED more entries: LAST, or a new chunk for CAPACITY
/// entries, which becomes LAST. Null if out of memory. Lock held.
Chunk *roomFor(Chunk *&Last, loopscope_chunk_type Type, uint32_t Wanted,
               uint32_t Capacity, uint32_t EntrySize);

/// The chunks in order of creation; null after the last.
Chunk *firstChunk();
Chunk *nextChunk(Chunk *C);

/// Whether ADDRESS is that of a node of this process's profile. Any thread,
/// without a lock.
bool isNode(const void *Address);

/// The chunk's offset in the file.
uint64_t chunkOffset(Chunk *C);

/// Removes the profile's file, whose contents are stored elsewhere as well.
void removeProfile();

/// Whether everything is in the file.
bool isWhole();

/// Notices if the file has become shorter, before a hook does. Any thread.
void lookAtFile();

/// Whether the file still has a name; learns the new one if it was moved.
bool findFile();

/// Writes everything that is only in memory to the file. False: ERROR says why
/// not.
bool completeFile(int &Error);

/// Writes everything to the new file PATH, or a numbered name next to it, which
/// becomes the profile's file. False: ERROR says why not.
bool saveCopy(const char *Path, int &Error);

/// The profile's path; "" if it is in anonymous memory.
const char *profilePath();

/// A path that lets a child process read the whole profile: its file, or an
/// in-memory copy if the file is missing or incomplete; "" if neither works.
/// Returns the copy's descriptor, which the caller closes, or -1.
int snapshot(Text &Path);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_PROFILE_FILE_H
