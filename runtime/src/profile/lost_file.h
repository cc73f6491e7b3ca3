// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Survives the loss of the profile's file while the program runs: somebody
// truncates it, or its pages can't be written back (a full disk behind a
// snapshot, a network file system that is gone). The kernel then answers an
// access to the mapping with SIGBUS.
//
//   addChunk -> addPiece, one for each mapping
//   SIGBUS in a piece -> every piece becomes anonymous memory
//
// If all of it can still be read, recording goes on in memory. If not, what was
// recorded is gone, and the run isn't recorded any further: its threads get a
// tree in which no span can be opened.
//
// No way without a handler keeps both promises, that the data survives SIGKILL
// and that a truncation does no harm: a lease can't be held on a file that is
// mapped for writing, a sealed memory file has no name that outlives the
// process, and looking at the file's size comes too late. Nor is there always a
// signal: the kernel puts zeros after the new end of a page that is cut in the
// middle, and where a file grows that was cut a moment before. So what hooks
// follow isn't in the file (base/thread_links.h), and whatever they read there
// may be zero.
//
// What the program can see of it: sigaction(SIGBUS) and the mask SigCgt of
// /proc/self/status, if SIGBUS was SIG_DFL when the profile was made. A handler
// of the program's replaces ours, and then only the background thread's look at
// the file's size remains. A SIGBUS that isn't ours does what it would have
// done: the default is restored, and the fault recurs, or the signal is sent
// again with the same siginfo. As process 1, which has no default for sent
// signals, it is ignored.

#ifndef LOOPSCOPE_PROFILE_LOST_FILE_H
#define LOOPSCOPE_PROFILE_LOST_FILE_H

#include <loopscope/profile_format.h>

#include <stdint.h>

namespace loopscope::runtime {

/// A mapping of the file.
struct Piece {
  char *At;
  uint64_t Size;
  uint32_t Type;        ///< loopscope_chunk_type; HeaderPiece
  uint32_t Capacity;    ///< of a chunk
  char *Next = nullptr; ///< what is about to replace it
  bool IsReplaced = false;
  bool HasHeader = false; ///< a chunk's, unless the file was cut and grew again
  /// Bytes of its first page before it: of pages larger than
  /// LOOPSCOPE_PROFILE_PAGE.
  uint32_t Before = 0;
};

/// The file's path for warnings; it may change in place.
void nameFileInWarnings(const char *Path);

/// Adds a piece before its memory is first used. False: out of memory. Lock
/// held.
bool addPiece(const Piece &New);

/// The last piece's chunk has its header from now on. Lock held.
void expectHeaderInPiece();

/// Piece::Type of the profile's first page.
constexpr uint32_t HeaderPiece = 0;

/// Adds an array of SIZE bytes of ThreadLinks, LinksApart apart: they point to
/// nodes that may get lost. False: out of memory. Lock held.
bool addLinks(void *At, uint64_t Size);

/// What happened to the file.
enum class Loss : uint32_t {
  None,
  Happening, ///< a thread is replacing pieces
  Kept,      ///< everything is in memory
  Lost,      ///< what was recorded is gone, and nothing can be added
  Failed,    ///< no memory to replace the pieces
};
Loss fileLoss();

/// Says what happened to the file, if that happened on the thread that opens
/// files, which has no standard error (base/own_files.h).
void sayUnsaidLoss();

/// Returns when no other thread is dealing with a loss or saying so, or after a
/// second. For who ends the process.
void awaitSaidLoss();

/// Replaces all pieces as a SIGBUS would, and says so. A chunk without its
/// header is lost, too: the file was cut and has grown again. Any thread, also
/// in a signal handler.
Loss replacePieces();

/// Installs the handler, once, if SIGBUS has its default action.
void watchBusErrors();

/// For a thread of ours, which blocks all other signals: whether SIGBUS is
/// blocked, too. It must not be while our handler is installed, because the
/// kernel ends a process whose thread faults with SIGBUS blocked; and it must
/// be while another is, because that would get signals on our thread.
void setBusErrorMask();

/// For a forked child: the parent's pieces aren't ours.
void forgetPieces();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_LOST_FILE_H
