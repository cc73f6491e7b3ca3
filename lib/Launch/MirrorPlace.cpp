// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses where rewritten sources go.

#include "Launch/MirrorPlace.h"

#include "Support/Message.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {

constexpr const char *MarkerName = "loopscope-mirror.txt";
constexpr std::string_view MarkerText =
    "loopscope-launch made this directory and empties it at the next build.\n";

/// Creates and locks a marker in DIRECTORY, which was just created. -1 on
/// failure.
int makeMarker(const std::string &Directory) {
  std::string Path = Directory + "/" + MarkerName;
  int File =
      open(Path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
           S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
  if (File < 0)
    return -1;
  // Locked before it says whose it is: nobody takes an empty one for ours.
  if (flock(File, LOCK_EX | LOCK_NB) == 0 &&
      write(File, MarkerText.data(), MarkerText.size()) ==
          static_cast<ssize_t>(MarkerText.size()))
    return File;
  unlink(Path.c_str());
  close(File);
  return -1;
}

bool holdsMarkerText(int File) {
  std::array<char, MarkerText.size() + 1> Buffer{};
  ssize_t Length = pread(File, Buffer.data(), Buffer.size(), 0);
  return Length == static_cast<ssize_t>(MarkerText.size()) &&
         std::memcmp(Buffer.data(), MarkerText.data(), MarkerText.size()) == 0;
}

/// Opens and locks the marker of a mirror that an earlier launcher of this user
/// left at DIRECTORY. -1 if there is none, or its launcher is alive.
int lockOldMarker(const std::string &Directory) {
  int Folder =
      open(Directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (Folder < 0)
    return -1;
  int File = openat(Folder, MarkerName, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  struct stat Mine{};
  struct stat Named{};
  struct stat Whole{};
  bool Taken = File >= 0 && flock(File, LOCK_EX | LOCK_NB) == 0 &&
               holdsMarkerText(File) && fstat(Folder, &Whole) == 0 &&
               Whole.st_uid == geteuid() && fstat(File, &Mine) == 0 &&
               // Its launcher may have removed it while we opened it.
               fstatat(Folder, MarkerName, &Named, AT_SYMLINK_NOFOLLOW) == 0 &&
               Mine.st_ino == Named.st_ino && Mine.st_dev == Named.st_dev;
  close(Folder);
  if (Taken)
    return File;
  if (File >= 0)
    close(File);
  return -1;
}

/// Removes everything in DIRECTORY except the marker.
void empty(const std::string &Directory) {
  std::error_code Why;
  std::vector<fs::path> Paths;
  for (fs::directory_iterator It(Directory, Why), End; !Why && It != End;
       It.increment(Why))
    if (It->path().filename() != MarkerName)
      Paths.push_back(It->path());
  for (const fs::path &Path : Paths)
    fs::remove_all(Path, Why);
}

} // namespace

MirrorPlace::~MirrorPlace() {
  for (const Made &Each : All) {
    if (!Keep) {
      empty(Each.Path);
      // Last, so that a mirror without a marker is always empty.
      unlink((Each.Path + "/" + MarkerName).c_str());
      rmdir(Each.Path.c_str());
    }
    if (Each.Marker >= 0)
      close(Each.Marker);
  }
}

Result<std::string> MirrorPlace::make(const std::string &Name) {
  std::string Path = Name + ".loopscope-mirror";
  std::error_code Why;
  int Marker = -1;
  // Nothing is created beside /dev/null.
  if (!fs::is_other(fs::status(Name, Why))) {
    if (mkdir(Path.c_str(), S_IRWXU | S_IRWXG | S_IRWXO) == 0) {
      Marker = makeMarker(Path);
      if (Marker < 0)
        rmdir(Path.c_str());
    } else if (errno == EEXIST) {
      Marker = lockOldMarker(Path);
      if (Marker >= 0)
        empty(Path);
    }
  }
  if (Marker < 0) {
    std::string Wanted = std::move(Path);
    Path = (fs::temp_directory_path(Why) / "loopscope-XXXXXX").string();
    if (!mkdtemp(Path.data()))
      return Error{fmt::format("cannot make a directory for rewritten sources: "
                               "neither {} nor {}: {}",
                               Wanted, Path, std::strerror(errno))};
    if (Keep)
      printMessage("note", "rewritten sources are in " + Path);
  }
  All.push_back({Path, Marker});
  return Path;
}

} // namespace loopscope::launch
