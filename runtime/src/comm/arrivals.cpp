// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the heads of profiles and /proc. A rank whose process may be on another
// host, or whose calls of MPI may not be recorded, is unknown: waiting for it
// could last forever.

#include "arrivals.h"

#include "base/clock.h"
#include "base/folder_names.h"
#include "base/memory.h"
#include "base/own_files.h"
#include "process/facts.h"
#include "profile/profile_file.h"

#include <loopscope/profile_format.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t Second = 1000000000;
constexpr uint64_t FirstLook = Second / 2;
constexpr uint64_t LooksApart = Second / 2;
constexpr uint64_t LookShare = 100; // looking takes no larger part of the wait,
constexpr uint64_t MostApart = 2 * Second; // except for this
constexpr uint64_t Unsaid = 5 * Second;
constexpr uint64_t ForUnknown = 10 * Second;
// If nobody known is missing and nobody can be elsewhere.
constexpr uint64_t ForSilent = Second;
// Even processes that seem to be on their way may never come.
constexpr uint64_t ForLate = 600 * Second;
// More ranks would be a burden for the file system.
constexpr uint32_t MostRanks = 1024;

// Whether the process, of this host, has ended. A main thread may end before
// others.
bool hasEnded(int32_t Pid) {
  TextBuffer<64> Path;
  Path << "/proc/" << static_cast<int64_t>(Pid) << "/stat";
  int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return true;
  char Line[1024];
  ssize_t Length = read(File, Line, sizeof(Line) - 1);
  close(File);
  if (Length <= 0)
    return true;
  Line[Length] = 0;
  const char *At = strrchr(Line, ')'); // then: state, and threads 17 words on
  if (At == nullptr || strlen(At) < 3 || (At[2] != 'Z' && At[2] != 'X'))
    return false;
  for (int Word = 0; At != nullptr && Word < 18; ++Word)
    At = strchr(At + 1, ' ');
  return At == nullptr || strtol(At, nullptr, 10) <= 1;
}

bool isProcess(int32_t Pid) {
  TextBuffer<64> Path;
  Path << "/proc/" << static_cast<int64_t>(Pid);
  return access(Path.c_str(), F_OK) == 0;
}

template <size_t Size>
bool isSame(const char (&One)[Size], const char (&Other)[Size]) {
  return strncmp(One, Other, Size) == 0;
}

// What is known of the process with the profile H, another rank of this run.
Arrival arrivalOf(const loopscope_profile_header &H) {
  if (H.end_state != LOOPSCOPE_END_RUNNING)
    return Arrival::Ended;
  // Process ids mean the same here if its parent is here.
  bool IsNear = isSame(H.host, Header->host) && isProcess(H.parent_pid);
  if (IsNear && hasEnded(H.pid))
    return Arrival::Ended;
  if (H.in_finalize != 0)
    return Arrival::Here;
  // The same program with the same settings does what this one does.
  return IsNear && isSame(H.rank_source, Header->rank_source) &&
                 isSame(H.program, Header->program) &&
                 isSame(H.options, Header->options)
             ? Arrival::Late
             : Arrival::Unsure;
}

// Calls USE(descriptor) with the folder of this process's profile.
template <typename Function> void withFolder(Function Use) {
  const char *Path = profilePath();
  const char *Slash = strrchr(Path, '/');
  if (Slash == nullptr)
    return;
  TextBuffer<1024> Folder;
  Folder.append(Path, static_cast<size_t>(Slash - Path) + 1);
  withOwnFiles([&] {
    int File = open(Folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (File < 0)
      return;
    Use(File);
    close(File);
  });
}
} // namespace

void Arrivals::begin(uint32_t Count) {
  Ranks = Count;
  NextLook = FirstLook;
  if (Header == nullptr || Process.Rank.Index < 0 || Ranks > MostRanks ||
      static_cast<uint32_t>(Process.Rank.Index) >= Ranks)
    return;
  __atomic_store_n(&Header->in_finalize, 1, __ATOMIC_RELEASE);
  Of = static_cast<Known *>(mapMemory(Ranks * sizeof(Known)));
}

void Arrivals::readProfile(int Folder, const char *Name) {
  size_t Length = strlen(Name);
  constexpr const char *Extension = ".loopscope";
  if (Length < strlen(Extension) ||
      strcmp(Name + Length - strlen(Extension), Extension) != 0)
    return;
  int File = openat(Folder, Name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (File < 0)
    return;
  loopscope_profile_header H;
  ssize_t Read = pread(File, &H, sizeof(H), 0);
  close(File);
  if (Read != static_cast<ssize_t>(sizeof(H)) ||
      memcmp(H.magic, Header->magic, sizeof(H.magic)) != 0 ||
      !isSame(H.run_id, Header->run_id) ||
      (H.flags & (LOOPSCOPE_FLAG_FORKED | LOOPSCOPE_FLAG_COPY |
                  LOOPSCOPE_FLAG_PART)) != 0 ||
      H.rank < 0 || static_cast<uint32_t>(H.rank) >= Ranks ||
      H.world_size != Process.Rank.World || H.rank == Process.Rank.Index)
    return;
  if (H.start_realtime_ns >= Of[H.rank].Start)
    Of[H.rank] = {H.start_realtime_ns, arrivalOf(H)};
}

void Arrivals::look() {
  memset(static_cast<void *>(Of), 0, Ranks * sizeof(Known));
  Of[Process.Rank.Index].Is = Arrival::Here;
  withFolder([&](int Folder) {
    forEachName(Folder, [&](const char *Name) { readProfile(Folder, Name); });
  });
}

uint32_t Arrivals::count(Arrival Wanted) const {
  uint32_t Count = 0;
  for (uint32_t R = 0; R < Ranks; ++R)
    Count += Of[R].Is == Wanted ? 1 : 0;
  return Count;
}

bool Arrivals::isFirstHere() const {
  for (uint32_t R = 0; R < Ranks; ++R)
    if (Of[R].Is == Arrival::Here)
      return R == static_cast<uint32_t>(Process.Rank.Index);
  return false;
}

// Whether all ranks run on this host, as launchers say, and others have their
// profiles where ours is.
bool Arrivals::isElsewhereUnlikely() const {
  const char *Local = secure_getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  if (Local == nullptr)
    Local = secure_getenv("MPI_LOCALNRANKS");
  return Local != nullptr &&
         strtol(Local, nullptr, 10) == static_cast<long>(Ranks) &&
         count(Arrival::Unknown) < Ranks - 1;
}

// "rank 3", "ranks 1, 2, 3, 4 and 8 more"
void Arrivals::appendRanks(Arrival Wanted, Text &To) const {
  constexpr uint32_t Named = 8;
  uint32_t Count = count(Wanted);
  To << (Count == 1 ? "rank " : "ranks ");
  uint32_t Next = 0;
  for (uint32_t R = 0; R < Ranks && Next < Named; ++R)
    if (Of[R].Is == Wanted)
      To << (Next++ == 0 ? "" : ", ") << static_cast<int64_t>(R);
  if (Count > Named)
    To << " and " << static_cast<int64_t>(Count - Named) << " more";
}

bool Arrivals::isWorthwhile(uint64_t Ns) {
  if (Of == nullptr)
    return Ns <= ForUnknown;
  if (Ns >= NextLook) {
    uint64_t Began = monotonicNs();
    look();
    uint64_t Taken = monotonicNs() - Began;
    uint64_t Rest = Taken * LookShare;
    NextLook = Ns + LooksApart + (Rest < MostApart ? Rest : MostApart);
    bool IsLate = count(Arrival::Late) != 0;
    bool IsSomeoneComing = IsLate || count(Arrival::Unsure) != 0;
    AllHere = IsSomeoneComing ? 0 : AllHere == 0 ? Ns : AllHere;
    if (IsLate && Ns >= Unsaid && !HasSaid && isFirstHere()) {
      TextBuffer<512> Line;
      Line << "rank " << static_cast<int64_t>(Process.Rank.Index)
           << " waits in MPI_Finalize for ";
      appendRanks(Arrival::Late, Line);
      Line << "; loopscope watch says what "
           << (count(Arrival::Late) == 1 ? "it does" : "they do");
      warn(Line.c_str());
      HasSaid = true;
    }
  }
  if (count(Arrival::Ended) != 0)
    return false;
  if (unsettled() == 0)
    return Ns <= ForLate;
  bool IsSilent =
      AllHere != 0 && Ns > AllHere + ForSilent && isElsewhereUnlikely();
  return Ns <= ForUnknown && !IsSilent;
}

void Arrivals::explain(Text &Why) const {
  bool IsKnown = Of != nullptr;
  if (IsKnown ? !isFirstHere() : Process.Rank.Index != 0)
    return;
  Why << "there is no merged file, because ";
  bool HasEnded = IsKnown && count(Arrival::Ended) != 0;
  if (HasEnded) {
    appendRanks(Arrival::Ended, Why);
    Why << (count(Arrival::Ended) == 1 ? " has" : " have") << " ended";
    return;
  }
  bool IsShared = IsKnown && count(Arrival::Unknown) < Ranks - 1 &&
                  count(Arrival::Unsure) + count(Arrival::Late) == 0;
  if (IsShared && count(Arrival::Unknown) != 0) {
    appendRanks(Arrival::Unknown, Why);
    Why << (count(Arrival::Unknown) == 1 ? " runs" : " run")
        << " without Loopscope, or didn't come to MPI_Finalize";
  } else {
    bool WasLate = IsKnown && unsettled() == 0;
    Why << "not all ranks came to MPI_Finalize within "
        << static_cast<int64_t>((WasLate ? ForLate : ForUnknown) / Second)
        << " s of rank " << static_cast<int64_t>(Process.Rank.Index)
        << (WasLate ? "" : ", or some run without Loopscope");
  }
  Why << "; LOOPSCOPE=keep=ranks merges nothing and doesn't wait";
}
