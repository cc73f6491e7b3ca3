// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text, files and messages without allocation.

#include "system.h"

#include "own_files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

using namespace loopscope::runtime;

Text &Text::append(const char *String, size_t Length) {
  size_t Room = Size - 1 - Used;
  if (Length > Room) {
    Length = Room;
    Cut = true;
  }
  memcpy(Buffer + Used, String, Length);
  Used += Length;
  Buffer[Used] = 0;
  return *this;
}

Text &Text::operator<<(const char *String) {
  return append(String, strlen(String));
}

Text &Text::operator<<(char C) { return append(&C, 1); }

Text &Text::operator<<(int64_t Number) {
  char Digits[24];
  size_t At = sizeof(Digits);
  uint64_t Rest = Number < 0 ? -static_cast<uint64_t>(Number)
                             : static_cast<uint64_t>(Number);
  do {
    Digits[--At] = static_cast<char>('0' + Rest % 10);
    Rest /= 10;
  } while (Rest != 0);
  if (Number < 0)
    Digits[--At] = '-';
  return append(Digits + At, sizeof(Digits) - At);
}

static size_t readHere(const char *Path, char *Buffer, size_t Size,
                       bool OnlyRegular) {
  int Error = errno;
  size_t Used = 0;
  int File = open(Path, O_RDONLY | O_CLOEXEC | (OnlyRegular ? O_NONBLOCK : 0));
  struct stat Status{};
  bool IsWanted = !OnlyRegular || (File >= 0 && fstat(File, &Status) == 0 &&
                                   S_ISREG(Status.st_mode));
  if (File >= 0) {
    while (IsWanted && Used < Size - 1) {
      ssize_t Got = read(File, Buffer + Used, Size - 1 - Used);
      if (Got < 0 && errno == EINTR)
        continue;
      if (Got <= 0)
        break;
      Used += static_cast<size_t>(Got);
    }
    close(File);
  }
  Buffer[Used] = 0;
  errno = Error;
  return Used;
}

size_t loopscope::runtime::readFile(const char *Path, char *Buffer,
                                    size_t Size) {
  size_t Used = 0;
  withOwnFiles([&] { Used = readHere(Path, Buffer, Size, false); });
  return Used;
}

size_t loopscope::runtime::readRegularFile(const char *Path, char *Buffer,
                                           size_t Size) {
  size_t Used = 0;
  withOwnFiles([&] { Used = readHere(Path, Buffer, Size, true); });
  return Used;
}

bool loopscope::runtime::findLine(const char *Path, char *Line, size_t Size,
                                  bool (*IsWanted)(const char *Line)) {
  int Error = errno;
  int File = open(Path, O_RDONLY | O_CLOEXEC);
  size_t Used = 0;
  bool IsFound = false;
  char Buffer[1024];
  ssize_t Got = 0;
  while (File >= 0 && !IsFound &&
         (Got = read(File, Buffer, sizeof(Buffer))) > 0)
    for (ssize_t I = 0; I < Got && !IsFound; ++I) {
      if (Buffer[I] != '\n') {
        if (Used < Size)
          Line[Used++] = Buffer[I];
        continue;
      }
      Line[Used < Size ? Used : Size - 1] = 0;
      IsFound = Used < Size && IsWanted(Line);
      Used = 0;
    }
  if (File >= 0)
    close(File);
  errno = Error;
  return IsFound;
}

namespace {
bool StreamIsClosed[STDERR_FILENO + 1];
} // namespace

void loopscope::runtime::readStandardStreams() {
  for (int File = 0; File <= STDERR_FILENO; ++File)
    StreamIsClosed[File] = fcntl(File, F_GETFD) < 0;
}

bool loopscope::runtime::isStream(int Stream) {
  return !StreamIsClosed[Stream];
}

void loopscope::runtime::writeQuietly(int File, const char *Data, size_t Size) {
  if (File <= STDERR_FILENO && !isStream(File))
    return;
  int Error = errno;
  sigset_t Set;
  sigset_t Saved;
  sigset_t Before;
  sigemptyset(&Set);
  sigaddset(&Set, SIGPIPE);
  sigaddset(&Set, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &Set, &Saved);
  sigemptyset(&Before);
  sigpending(&Before);
  ssize_t Written = write(File, Data, Size);
  int Signal = Written >= 0 ? 0 : errno == EPIPE ? SIGPIPE : SIGXFSZ;
  if (Signal != 0 && sigismember(&Before, Signal) != 1) {
    timespec Now{};
    sigemptyset(&Set);
    sigaddset(&Set, Signal);
    sigtimedwait(&Set, nullptr, &Now); // there may be none
  }
  pthread_sigmask(SIG_SETMASK, &Saved, nullptr);
  errno = Error;
}

int loopscope::runtime::aboveStreams(int File, int Flags) {
  if (File < 0 || File > STDERR_FILENO)
    return File;
  int Higher = fcntl(File, Flags, STDERR_FILENO + 1);
  close(File);
  return Higher;
}

void loopscope::runtime::warn(const char *Message) {
  TextBuffer<2048> Line;
  Line << "loopscope: " << Message << '\n';
  writeQuietly(STDERR_FILENO, Line.c_str(), Line.size());
}

void loopscope::runtime::copyHead(char *Field, size_t Size,
                                  const char *String) {
  Text(Field, Size) << String;
}

void loopscope::runtime::copyTail(char *Field, size_t Size,
                                  const char *String) {
  size_t Length = strlen(String);
  if (Length < Size)
    Text(Field, Size) << String;
  else
    Text(Field, Size) << "..." << (String + Length - (Size - 4));
}

bool loopscope::runtime::parseNumber(const char *String, int64_t &Number) {
  if (*String == 0)
    return false;
  int64_t Value = 0;
  for (; *String != 0; ++String) {
    if (*String < '0' || *String > '9' ||
        __builtin_mul_overflow(Value, 10, &Value) ||
        __builtin_add_overflow(Value, *String - '0', &Value))
      return false;
  }
  Number = Value;
  return true;
}
