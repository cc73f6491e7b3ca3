// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the name of the profile's file.

#include "profile_name.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

using namespace loopscope::runtime;

namespace {
constexpr const char *Extension = ".loopscope";

const char *baseName(const char *Path) {
  const char *Slash = strrchr(Path, '/');
  const char *Base = Slash == nullptr ? Path : Slash + 1;
  return *Base == 0 ? "program" : Base;
}

void appendDefault(const ProfileName &Name, Text &Path) {
  Path << baseName(Name.Program) << '.' << Name.Pid;
  if (Name.RankIndex >= 0)
    Path << ".rank" << Name.RankIndex;
  Path << Extension;
}

// Whether PATH means a directory; one that ends in '/' is created.
bool isDirectory(const char *Path) {
  int Saved = errno;
  size_t Length = strlen(Path);
  if (Length != 0 && Path[Length - 1] == '/')
    mkdir(Path, 0777);
  struct stat Status{};
  bool Result = stat(Path, &Status) == 0 && S_ISDIR(Status.st_mode);
  errno = Saved;
  return Result || (Length != 0 && Path[Length - 1] == '/');
}

// What a pattern mentions.
struct Mentioned {
  bool Pid = false;
  bool Rank = false;
};

// Appends OUTPUT with its patterns expanded.
Mentioned appendPattern(const ProfileName &Name, Text &Path) {
  Mentioned Has;
  for (const char *C = Name.Output; *C != 0; ++C) {
    if (C[0] == '%' && C[1] == 'p') {
      Path << Name.Pid;
      Has.Pid = true;
      ++C;
    } else if (C[0] == '%' && C[1] == 'r') {
      if (Name.RankIndex == AllRanks)
        Path << "all";
      else
        Path << (Name.RankIndex < 0 ? 0 : Name.RankIndex);
      Has.Rank = true;
      ++C;
    } else if (C[0] == '%' && C[1] == '%') {
      Path << '%';
      ++C;
    } else {
      Path << *C;
    }
  }
  return Has;
}
} // namespace

size_t loopscope::runtime::stemLength(const char *Path) {
  size_t Length = strlen(Path);
  size_t Suffix = strlen(Extension);
  return Length > Suffix && strcmp(Path + Length - Suffix, Extension) == 0
             ? Length - Suffix
             : Length;
}

bool loopscope::runtime::makeProfileName(const ProfileName &Name, Text &Path) {
  TextBuffer<1024> Chosen;
  if (Name.Output[0] != '/' && Name.WorkingDirectory[0] != 0)
    Chosen << Name.WorkingDirectory
           << (strcmp(Name.WorkingDirectory, "/") == 0 ? "" : "/");
  Mentioned Has = appendPattern(Name, Chosen);
  if (Name.Output[0] == 0) {
    Path << Chosen.c_str();
    appendDefault(Name, Path);
    Has.Pid = true;
  } else if (isDirectory(Chosen.c_str())) {
    Path << Chosen.c_str();
    if (Chosen.c_str()[Chosen.size() - 1] != '/')
      Path << '/';
    appendDefault(Name, Path);
    Has.Pid = true;
  } else if (Name.RankIndex < 0 || Has.Rank) {
    Path << Chosen.c_str();
  } else {
    size_t Stem = stemLength(Chosen.c_str());
    Path.append(Chosen.c_str(), Stem)
        << ".rank" << Name.RankIndex << (Chosen.c_str() + Stem);
  }
  return Has.Pid;
}
