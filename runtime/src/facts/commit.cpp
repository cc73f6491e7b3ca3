// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Follows .git to HEAD, to a branch, to a commit:
//
//   DIRECTORY/.git        a folder, or a file that names one (a worktree)
//   HEAD                  a commit, or "ref: refs/heads/main"
//   refs/heads/main       here or in the folder that `commondir` names; else a
//                         line of packed-refs there

#include "commit.h"

#include <string.h>
#include <sys/stat.h>

using namespace loopscope::runtime;

namespace {
// Text that is a path. In memory of its own, because a thread of the program
// may have a small stack. The slow lock guards it.
struct PathPlace {
  char Bytes[1024];
};
PathPlace Places[6];
enum { Folder, Above, Git, Named, Shared, File };

class Path : public Text {
public:
  explicit Path(int Place) : Text(Places[Place].Bytes, sizeof(PathPlace)) {}
};

// Folders from a file system's root to a repository's deepest one.
constexpr int MostFolders = 64;
constexpr size_t ShortCommit = 40; // of SHA-1
constexpr size_t LongCommit = 64;  // of SHA-256

// The first line of a small file, without its end.
template <size_t Size> bool readLine(const Path &Of, char (&Line)[Size]) {
  if (Of.isCut() || readRegularFile(Of.c_str(), Line, Size) == 0)
    return false;
  if (char *End = strchr(Line, '\n'))
    *End = 0;
  return true;
}

// What follows WORD at the beginning of LINE; null if it begins otherwise.
const char *after(const char *Line, const char *Word) {
  size_t Length = strlen(Word);
  return strncmp(Line, Word, Length) == 0 ? Line + Length : nullptr;
}

// Appends the commit with whose name LINE begins.
bool takeCommit(const char *Line, Text &Commit) {
  size_t Length = 0;
  while ((Line[Length] >= '0' && Line[Length] <= '9') ||
         (Line[Length] >= 'a' && Line[Length] <= 'f'))
    ++Length;
  if ((Length != ShortCommit && Length != LongCommit) ||
      (Line[Length] != 0 && Line[Length] != ' '))
    return false;
  Commit.append(Line, Length);
  return true;
}

// IN/NAME, or NAME if it is absolute.
void join(const char *In, const char *Name, Path &Into) {
  if (*Name != '/')
    Into << In << '/';
  Into << Name;
}

// "refs/heads/main", for isWanted(). The slow lock guards it.
const char *WantedBranch;

// "<commit> refs/heads/main"
bool isWanted(const char *Line) {
  const char *Space = strchr(Line, ' ');
  return Space != nullptr && strcmp(Space + 1, WantedBranch) == 0;
}

bool readPacked(const char *Of, const char *Branch, Text &Commit) {
  Path Packed(File);
  Packed << Of << "/packed-refs";
  struct stat Status{};
  char Line[512];
  if (Packed.isCut() || stat(Packed.c_str(), &Status) != 0 ||
      !S_ISREG(Status.st_mode))
    return false;
  WantedBranch = Branch;
  bool IsFound = findLine(Packed.c_str(), Line, sizeof(Line), isWanted);
  WantedBranch = nullptr;
  return IsFound && takeCommit(Line, Commit);
}

bool readBranch(const char *Of, const char *Branch, Text &Commit) {
  Path Loose(File);
  Loose << Of << '/' << Branch;
  char Line[128];
  return (readLine(Loose, Line) && takeCommit(Line, Commit)) ||
         readPacked(Of, Branch, Commit);
}

// OF: a repository's folder, or a worktree's in it.
bool readHead(const char *Of, Text &Commit) {
  Path Head(File);
  Head << Of << "/HEAD";
  char Line[512];
  if (!readLine(Head, Line))
    return false;
  const char *Branch = after(Line, "ref: ");
  if (Branch == nullptr)
    return takeCommit(Line, Commit);
  if (after(Branch, "refs/") == nullptr || strstr(Branch, "..") != nullptr)
    return false;
  if (readBranch(Of, Branch, Commit))
    return true;
  Path CommonFile(File);
  CommonFile << Of << "/commondir";
  char Common[512];
  if (!readLine(CommonFile, Common))
    return false;
  Path Whole(Shared);
  join(Of, Common, Whole);
  return !Whole.isCut() && readBranch(Whole.c_str(), Branch, Commit);
}
} // namespace

// Another file system may be one whose names take seconds to look up.
bool loopscope::runtime::readCommit(const char *Directory, Text &Commit) {
  Path Place(Folder);
  Place << Directory;
  struct stat First{};
  if (*Directory != '/' || stat(Directory, &First) != 0)
    return false;
  for (int I = 0; I < MostFolders; ++I) {
    Path Its(Git);
    Its << Place.c_str() << "/.git";
    struct stat Status{};
    if (!Its.isCut() && stat(Its.c_str(), &Status) == 0) {
      char Line[512];
      if (S_ISDIR(Status.st_mode))
        return readHead(Its.c_str(), Commit);
      const char *Name =
          readLine(Its, Line) ? after(Line, "gitdir: ") : nullptr;
      if (Name == nullptr)
        return false;
      Path Elsewhere(Named);
      join(Place.c_str(), Name, Elsewhere);
      return !Elsewhere.isCut() && readHead(Elsewhere.c_str(), Commit);
    }
    const char *Slash = strrchr(Place.c_str(), '/');
    if (Slash == nullptr || Place.size() <= 1)
      return false;
    Path Next(Above);
    Next.append(Place.c_str(), static_cast<size_t>(Slash - Place.c_str()));
    if (stat(Next.size() == 0 ? "/" : Next.c_str(), &Status) != 0 ||
        Status.st_dev != First.st_dev)
      return false;
    Place.clear();
    Place << Next.c_str();
  }
  return false;
}
