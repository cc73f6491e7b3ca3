// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// At exit: the directory was missing, the disk full, the file moved away.

#include "profile_save.h"

#include "base/slow_lock.h"
#include "base/system.h"
#include "files.h"
#include "profile_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

using namespace loopscope::runtime;

namespace {
// Adds "rank 3: " in a distributed run.
void beginMessage(const ProfileName &Name, Text &Message) {
  if (Name.RankIndex >= 0)
    Message << "rank " << Name.RankIndex << ": ";
}

// Whether the whole profile could be written to PATH or a numbered name.
bool saveTo(const ProfileName &Name, int &Error) {
  TextBuffer<1024> Place;
  makeProfileName(Name, Place);
  const char *Path = Place.c_str();
  if (!saveCopy(Path, Error))
    return false;
  TextBuffer<1400> Message;
  beginMessage(Name, Message);
  Message << "the profile is " << profilePath();
  warn(Message.c_str());
  return true;
}

const char *temporaryDirectory() {
  const char *Given = secure_getenv("TMPDIR"); // NOLINT: nobody sets it
  return Given != nullptr && Given[0] == '/' ? Given : "/tmp";
}
} // namespace

void loopscope::runtime::saveProfile(const ProfileName &Name) {
  int Saved = errno;
  SlowLock Lock;
  int Error = 0;
  TextBuffer<1024> Before;
  Before << profilePath();
  bool IsGone = Before.size() != 0 && !findFile();
  if (strcmp(Before.c_str(), profilePath()) != 0) {
    TextBuffer<2400> Message;
    beginMessage(Name, Message);
    Message << "the profile " << Before.c_str()
            << " was moved while the program ran; it is " << profilePath();
    warn(Message.c_str());
  }
  if (IsGone) {
    Error = ENOENT;
    TextBuffer<1400> Message;
    beginMessage(Name, Message);
    Message << "the profile " << Before.c_str()
            << " was deleted while the program ran; it is written again";
    warn(Message.c_str());
  } else if (isWhole() || completeFile(Error)) {
    errno = Saved;
    return;
  }
  // Try the wanted place, the default place, then a directory that everyone may
  // write to.
  ProfileName Default = Name;
  Default.Output = "";
  TextBuffer<1024> Directory;
  Directory << temporaryDirectory() << '/';
  ProfileName Temporary = Name;
  Temporary.Output = Directory.c_str();
  TextBuffer<1024> Incomplete;
  Incomplete << profilePath();
  int Unused = 0;
  if (!saveTo(Name, Error) && !saveTo(Default, Unused) &&
      !saveTo(Temporary, Unused)) {
    TextBuffer<1024> Wanted;
    makeProfileName(Name, Wanted);
    TextBuffer<1400> Message;
    beginMessage(Name, Message);
    Message << "the profile " << Wanted.c_str() << ' '
            << (IsGone || Incomplete.size() == 0 ? "is lost"
                                                 : "lacks its last part")
            << ": " << reasonOf(Error)
            << ", and no file can be made in the working directory or in "
            << temporaryDirectory();
    warn(Message.c_str());
  }
  errno = Saved;
}
