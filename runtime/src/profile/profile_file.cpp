// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files and mappings of the profile.

#include "profile_file.h"

#include "base/memory.h"
#include "base/own_files.h"
#include "base/slow_lock.h"
#include "files.h"
#include "lost_file.h"
#include "reserved_place.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace loopscope::runtime;

loopscope_profile_header *loopscope::runtime::Header = nullptr;

namespace {
constexpr uint64_t Page = LOOPSCOPE_PROFILE_PAGE;

// Where a chunk lies, in a list that uses the chunk's reserved words (the
// format leaves them to the writer). Offsets are multiples of a page; chunks
// outside the file have InMemory added.
constexpr uint64_t InMemory = 1;
struct __attribute__((may_alias)) ChunkLinks {
  uint64_t Offset;
  Chunk *Next;
};
ChunkLinks &chunkLinks(Chunk *C) {
  return *reinterpret_cast<ChunkLinks *>(C->reserved);
}

struct Backing {
  char Path[1024];
  dev_t Device;
  ino_t Inode;
  int Nameless;  // descriptor of a file that is still unnamed, or -1
  bool InFile;   // new chunks go to the file
  bool Partial;  // some chunk isn't in the file
  bool Unwanted; // output=/dev/null
  uint64_t Size; // of the file
  Chunk *First;
  Chunk *Last;
};
Backing File;

// Notices that the file was cut and has grown again: the last chunk has lost
// its head. Not on the thread that opens files, which blocks SIGBUS.
void lookForZeros() {
  Chunk *Last = __atomic_load_n(&File.Last, __ATOMIC_ACQUIRE);
  if (Last != nullptr &&
      __atomic_load_n(&Last->magic, __ATOMIC_RELAXED) != LOOPSCOPE_CHUNK_MAGIC)
    replacePieces();
}

// Allocates and maps the part of the open file that begins at OFFSET, at
// WHERE.At, which the caller keeps, unless that is null. Null on failure: ERROR
// says why.
void *mapFile(int Descriptor, uint64_t Offset, Piece Where, int &Error) {
  Error = allocateFile(Descriptor, Offset, Where.Size);
  if (Error != 0)
    return nullptr;
  bool IsReserved = Where.At != nullptr;
  Where.Before = static_cast<uint32_t>(inPage(Offset));
  uint64_t Before = Where.Before;
  void *Memory =
      mmap(IsReserved ? Where.At - Before : nullptr, Before + Where.Size,
           PROT_READ | PROT_WRITE, MAP_SHARED | (IsReserved ? MAP_FIXED : 0),
           Descriptor, static_cast<off_t>(Offset - Before));
  if (Memory == MAP_FAILED) {
    Error = errno;
    return nullptr;
  }
  Where.At = static_cast<char *>(Memory) + Before;
  if (addPiece(Where)) {
    __atomic_store_n(&File.Size, Offset + Where.Size, __ATOMIC_RELEASE);
    return Where.At;
  }
  if (!IsReserved)
    munmap(Memory, Before + Where.Size);
  Error = ENOMEM;
  return nullptr;
}

// Maps the header page and reserves an unused page after it. Otherwise a chunk
// could follow directly, and valgrind 3.19 aborts programs in which adjacent
// mappings of one file have two names (the header was mapped while the file had
// none).
void *mapHeader(int Descriptor, int &Error) {
  uint64_t Size = pageSize() + Page;
  void *Both = mmap(nullptr, Size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Both == MAP_FAILED) {
    Error = errno;
    return nullptr;
  }
  void *Memory = mapFile(
      Descriptor, 0, {static_cast<char *>(Both), Page, HeaderPiece, 0}, Error);
  if (Memory == nullptr)
    munmap(Both, Size);
  return Memory;
}

// Whether STATUS is that of the file that we made.
bool isOurFile(const struct stat &Status) {
  return Status.st_dev == File.Device && Status.st_ino == File.Inode;
}

// Notices that the file with STATUS has become shorter than SIZE, which was
// File.Size before STATUS was read: the file grows first. Growing it again
// would put zeros where a hook expects the tree.
bool isCut(const struct stat &Status, uint64_t Size) {
  if (static_cast<uint64_t>(Status.st_size) >= Size)
    return false;
  replacePieces();
  return true;
}

// createFile() with the profile's name.
int createOwnFile(const char *Path, int From, int &Error) {
  Text Name(File.Path, sizeof(File.Path));
  return createFile(Path, From, Name, Error);
}

// Opens the profile's file if it is still the one that we made. -1 on failure:
// ERROR says why, ENOENT also if another file has its name, EIO if it has lost
// something.
int reopenFile(int &Error) {
  int Descriptor = aboveStreams(
      open(File.Path, O_RDWR | O_CLOEXEC | O_NOFOLLOW), F_DUPFD_CLOEXEC);
  Error = Descriptor < 0 ? errno : ENOENT;
  if (Descriptor < 0)
    return -1;
  struct stat Status{};
  if (fstat(Descriptor, &Status) == 0 && isOurFile(Status)) {
    if (!isCut(Status, File.Size))
      return Descriptor;
    Error = EIO;
  }
  close(Descriptor);
  return -1;
}

// The path in a line of /proc/PID/maps, if it leads to our file; else null.
const char *mappedPath(const char *Line) {
  const char *Path = strchr(Line, '/');
  struct stat Status{};
  return Path != nullptr && strlen(Path) < sizeof(File.Path) &&
                 stat(Path, &Status) == 0 && isOurFile(Status)
             ? Path
             : nullptr;
}

// Takes over the file's new name, which the kernel shows beside its mappings,
// if it was moved. False: it has none.
bool followMove() {
  char Line[sizeof(File.Path) + 128];
  if (!findLine("/proc/thread-self/maps", Line, sizeof(Line),
                [](const char *Each) { return mappedPath(Each) != nullptr; }))
    return false;
  copyHead(File.Path, sizeof(File.Path), mappedPath(Line));
  return true;
}

} // namespace

loopscope_profile_header *loopscope::runtime::openProfile(const char *Path,
                                                          Text &Why) {
  int Saved = errno;
  File = {};
  nameFileInWarnings(File.Path);
  int Error = 0;
  void *Memory = nullptr;
  // Whoever finds the file must find a profile in it, even if the program is
  // killed during this.
  File.Unwanted = strcmp(Path, "/dev/null") == 0;
  File.Nameless = createNameless(Path);
  int Descriptor =
      File.Nameless >= 0 ? File.Nameless : createOwnFile(Path, -1, Error);
  if (Descriptor >= 0) {
    struct stat Status{};
    fstat(Descriptor, &Status);
    File.Device = Status.st_dev;
    File.Inode = Status.st_ino;
    Memory = mapHeader(Descriptor, Error);
    File.InFile = Memory != nullptr;
    if (Memory != nullptr)
      watchBusErrors();
    if (Memory == nullptr && File.Nameless < 0)
      unlink(File.Path);
    if (Memory == nullptr || File.Nameless < 0) {
      close(Descriptor);
      File.Nameless = -1;
    }
  }
  if (Memory == nullptr) {
    if (!File.Unwanted)
      Why << "cannot make the profile " << Path << ": " << reasonOf(Error)
          << "; recording in memory, so a crash would lose it";
    File.Path[0] = 0;
    File.Partial = true;
    Memory = mapMemory(Page);
  }
  errno = Saved;
  if (Memory == nullptr)
    return nullptr;
  auto *New = static_cast<loopscope_profile_header *>(Memory);
  New->header_size = LOOPSCOPE_PROFILE_PAGE;
  New->version_major = LOOPSCOPE_PROFILE_VERSION_MAJOR;
  New->version_minor = LOOPSCOPE_PROFILE_VERSION_MINOR;
  New->used_bytes = Page;
  if (File.Partial)
    New->flags |= LOOPSCOPE_FLAG_ANONYMOUS;
  return New;
}

bool loopscope::runtime::nameProfile(const char *Path, Text &Why) {
  if (File.Nameless < 0)
    return true;
  int Saved = errno;
  int Error = 0;
  bool Named = createOwnFile(Path, File.Nameless, Error) >= 0;
  if (!Named) {
    Why << "cannot make the profile " << Path << ": " << reasonOf(Error)
        << "; recording in memory, so a crash would lose it";
    File.Path[0] = 0;
    File.InFile = false;
    File.Partial = true;
  }
  close(File.Nameless);
  File.Nameless = -1;
  errno = Saved;
  return Named;
}

void loopscope::runtime::removeProfile() {
  int Saved = errno;
  int Unused = 0;
  int Descriptor = reopenFile(Unused); // opened only for this
  if (Descriptor >= 0) {
    unlink(File.Path);
    close(Descriptor);
  }
  errno = Saved;
}

void loopscope::runtime::resetProfile() {
  Header = nullptr;
  File = {};
  forgetPieces();
}

// New chunks no longer go to the file. The background thread reads this.
static void leaveFile() {
  __atomic_store_n(&File.InFile, false, __ATOMIC_RELAXED);
}

Chunk *loopscope::runtime::addChunk(loopscope_chunk_type Type,
                                    uint32_t FirstIndex, uint32_t Capacity,
                                    uint32_t EntrySize, uint32_t ExtraSize) {
  int Saved = errno;
  if (fileLoss() != Loss::None)
    leaveFile();
  uint64_t Size =
      sizeof(Chunk) + static_cast<uint64_t>(Capacity) * (EntrySize + ExtraSize);
  Size = (Size + Page - 1) / Page * Page;
  uint64_t Offset = Header->used_bytes;
  bool HasOwnParts =
      Type == LOOPSCOPE_CHUNK_NODES || Type == LOOPSCOPE_CHUNK_THREADS;
  ReservedPlace Reserved;
  if (HasOwnParts)
    Reserved = reservePlace(Offset, Size,
                            sizeof(Chunk) + uint64_t(Capacity) * EntrySize);
  char *At = Reserved.At;
  if (HasOwnParts && At == nullptr) {
    errno = Saved;
    return nullptr;
  }
  void *Memory = nullptr;
  bool IsInMemory = false;
  if (File.InFile) {
    int Error = 0;
    withOwnFiles([&] {
      int Descriptor = reopenFile(Error);
      if (Descriptor < 0)
        return;
      Memory = mapFile(Descriptor, Offset, {At, Size, Type, Capacity}, Error);
      close(Descriptor);
    });
    lookForZeros(); // if the file was cut just before it grew
    sayUnsaidLoss();
    if (fileLoss() != Loss::None)
      leaveFile();
    if (Memory == nullptr && Error != ENOMEM && File.InFile) {
      leaveFile();
      TextBuffer<1400> Message;
      Message
          << "the profile " << File.Path << " cannot grow: "
          << (Error == ENOENT ? "it was moved or deleted" : reasonOf(Error))
          << "; new call paths are kept in memory, so a crash would lose them";
      warn(Message.c_str());
    }
  }
  if (Memory == nullptr && fileLoss() != Loss::Lost) {
    Memory = At == nullptr ? mapMemory(Size) : mapMemoryAt(At, Size);
    if (Memory != nullptr) {
      IsInMemory = true;
      File.Partial = true;
      Header->flags |= LOOPSCOPE_FLAG_ANONYMOUS;
    }
  }
  if (Memory == nullptr)
    releasePlace(Reserved);
  errno = Saved;
  if (Memory == nullptr)
    return nullptr;
  auto *New = static_cast<Chunk *>(Memory);
  New->type = Type;
  New->size = Size;
  New->first_index = FirstIndex;
  New->capacity = Capacity;
  New->entry_size = EntrySize;
  chunkLinks(New) = {Offset | (IsInMemory ? InMemory : 0), nullptr};
  New->magic = LOOPSCOPE_CHUNK_MAGIC;
  if (!IsInMemory)
    expectHeaderInPiece();
  // Lists are read without a lock.
  __atomic_store_n(File.First == nullptr ? &File.First
                                         : &chunkLinks(File.Last).Next,
                   New, __ATOMIC_RELEASE);
  __atomic_store_n(&File.Last, New, __ATOMIC_RELEASE);
  __atomic_store_n(&Header->used_bytes, Offset + Size, __ATOMIC_RELEASE);
  return New;
}

Chunk *loopscope::runtime::roomFor(Chunk *&Last, loopscope_chunk_type Type,
                                   uint32_t Wanted, uint32_t Capacity,
                                   uint32_t EntrySize) {
  if (Last != nullptr && Last->used + Wanted <= Last->capacity)
    return Last;
  uint32_t First = Last == nullptr ? 0 : Last->first_index + Last->used;
  Chunk *New = addChunk(Type, First, Capacity, EntrySize, 0);
  if (New != nullptr)
    Last = New;
  return New;
}

Chunk *loopscope::runtime::firstChunk() {
  return __atomic_load_n(&File.First, __ATOMIC_ACQUIRE);
}

Chunk *loopscope::runtime::nextChunk(Chunk *C) {
  return __atomic_load_n(&chunkLinks(C).Next, __ATOMIC_ACQUIRE);
}

bool loopscope::runtime::isNode(const void *Address) {
  constexpr uint64_t Size = sizeof(loopscope_profile_node);
  auto At = reinterpret_cast<uintptr_t>(Address);
  for (Chunk *C = firstChunk(); C != nullptr; C = nextChunk(C)) {
    auto First = reinterpret_cast<uintptr_t>(entries(C));
    if (C->type == LOOPSCOPE_CHUNK_NODES && At >= First &&
        At < First + C->capacity * Size)
      return (At - First) % Size == 0;
  }
  return false;
}

uint64_t loopscope::runtime::chunkOffset(Chunk *C) {
  return chunkLinks(C).Offset & ~InMemory;
}

const char *loopscope::runtime::profilePath() { return File.Path; }

bool loopscope::runtime::isWhole() {
  return (!File.Partial && fileLoss() == Loss::None) || File.Unwanted;
}

void loopscope::runtime::lookAtFile() {
  int Saved = errno;
  struct stat Status{};
  uint64_t Size = __atomic_load_n(&File.Size, __ATOMIC_ACQUIRE);
  if (__atomic_load_n(&File.InFile, __ATOMIC_RELAXED) &&
      fileLoss() == Loss::None && stat(File.Path, &Status) == 0 &&
      isOurFile(Status) && !isCut(Status, Size))
    lookForZeros();
  errno = Saved;
}

bool loopscope::runtime::findFile() {
  int Saved = errno;
  struct stat Status{};
  bool IsThere =
      File.Path[0] != 0 &&
      ((stat(File.Path, &Status) == 0 && isOurFile(Status)) || followMove());
  errno = Saved;
  return IsThere;
}

bool loopscope::runtime::completeFile(int &Error) {
  if (File.Path[0] == 0 || fileLoss() != Loss::None) {
    Error = File.Path[0] == 0 ? ENOENT : EIO;
    return false;
  }
  int Descriptor = reopenFile(Error);
  if (Descriptor < 0)
    return false;
  Error = 0;
  for (Chunk *C = File.First; C != nullptr && Error == 0;
       C = chunkLinks(C).Next)
    if ((chunkLinks(C).Offset & InMemory) != 0 &&
        !writeAll(Descriptor, C, C->size, chunkOffset(C)))
      Error = errno;
  close(Descriptor);
  if (Error != 0)
    return false;
  Header->flags &= ~uint32_t(LOOPSCOPE_FLAG_ANONYMOUS);
  File.Partial = false;
  return true;
}

bool loopscope::runtime::saveCopy(const char *Path, int &Error) {
  Backing Before = File;
  int Descriptor = createOwnFile(Path, -1, Error);
  if (Descriptor >= 0) {
    for (Chunk *C = File.First; C != nullptr && Error == 0;
         C = chunkLinks(C).Next)
      if (!writeAll(Descriptor, C, C->size, chunkOffset(C)))
        Error = errno;
    // Write the header last: a reader that finds it finds everything.
    uint32_t Flags = Header->flags;
    Header->flags &= ~uint32_t(LOOPSCOPE_FLAG_ANONYMOUS);
    if (Error == 0 && !writeAll(Descriptor, Header, Page, 0))
      Error = errno;
    if (Error != 0)
      Header->flags = Flags;
    struct stat Status{};
    fstat(Descriptor, &Status);
    File.Device = Status.st_dev;
    File.Inode = Status.st_ino;
    File.Partial = false;
    if (Error != 0)
      unlink(File.Path);
    close(Descriptor);
  }
  if (Error != 0)
    File = Before;
  return Error == 0;
}

int loopscope::runtime::snapshot(Text &Path) {
  if (!File.Partial && fileLoss() == Loss::None) {
    int Unused = 0;
    int Descriptor = reopenFile(Unused);
    if (Descriptor >= 0) {
      close(Descriptor);
      Path << File.Path;
      return -1;
    }
  }
  // The report inherits it, hence no MFD_CLOEXEC.
  int Copy = aboveStreams(memfd_create("loopscope", 0), F_DUPFD);
  if (Copy < 0)
    return -1;
  SlowLock Lock; // chunks are added
  bool Whole = writeAll(Copy, Header, Page, 0);
  for (Chunk *C = File.First; C != nullptr && Whole; C = chunkLinks(C).Next)
    Whole = writeAll(Copy, C, C->size, chunkOffset(C));
  if (Whole) {
    Path << "/proc/self/fd/" << static_cast<int64_t>(Copy);
    return Copy;
  }
  close(Copy);
  return -1;
}
