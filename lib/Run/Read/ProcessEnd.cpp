// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the kernel about processes, and writes the header's words on the end.

#include "Run/Read/ProcessEnd.h"

#include <loopscope/profile_format.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

using namespace loopscope;

namespace {
constexpr int64_t NsPerSecond = 1'000'000'000;

std::string hostName() {
  char Host[HOST_NAME_MAX + 1] = "";
  gethostname(Host, sizeof(Host) - 1);
  return Host;
}

int64_t nowBy(clockid_t Clock) {
  timespec Now{};
  clock_gettime(Clock, &Now);
  return Now.tv_sec * NsPerSecond + Now.tv_nsec;
}

// Field NUMBER, from 3, of the status of FOLDER, a process or a thread (man
// proc_pid_stat); empty if unknown.
std::string statusField(const std::string &Folder, int Number) {
  std::ifstream File(Folder + "/stat");
  std::string Line;
  if (!std::getline(File, Line))
    return {};
  // The name, in parentheses, may have blanks.
  std::istringstream Rest(
      Line.substr(std::min(Line.rfind(')') + 1, Line.size())));
  std::string Field;
  for (int I = 3; I <= Number; ++I)
    if (!(Rest >> Field))
      return {};
  return Field;
}

// Whether SIGKILL awaits the thread FOLDER: that, or another fatal signal, was
// sent to its process.
bool isKilled(const std::string &Folder) {
  std::ifstream File(Folder + "/status");
  constexpr const char *Name = "SigPnd:";
  for (std::string Line; std::getline(File, Line);)
    if (Line.starts_with(Name)) {
      unsigned long long Pending =
          std::strtoull(Line.c_str() + std::strlen(Name), nullptr, 16);
      return (Pending >> (SIGKILL - 1) & 1) != 0;
    }
  return false;
}

// Whether the thread FOLDER runs no more of its program, though its end may
// still take a while.
bool hasStopped(const std::string &Folder) {
  constexpr unsigned long Exiting = 4; // PF_EXITING
  std::string State = statusField(Folder, 3);
  return State == "Z" || State == "X" ||
         (std::strtoul(statusField(Folder, 9).c_str(), nullptr, 10) &
          Exiting) != 0 ||
         isKilled(Folder);
}

// The same of all threads of process PID. Its main thread may end first.
bool hasStopped(int Pid) {
  std::string Folder = "/proc/" + std::to_string(Pid);
  if (!hasStopped(Folder))
    return false;
  std::error_code Failed;
  std::filesystem::directory_iterator At(Folder + "/task", Failed);
  for (; !Failed && At != std::filesystem::directory_iterator();
       At.increment(Failed)) {
    std::string Thread = At->path().string();
    if (!hasStopped(Thread) && std::filesystem::exists(Thread, Failed))
      return false;
  }
  return true;
}

// When process PID started, by CLOCK_REALTIME; -1 if unknown.
int64_t startOf(int Pid) {
  std::string Field = statusField("/proc/" + std::to_string(Pid), 22);
  if (Field.empty())
    return -1;
  long Hz = sysconf(_SC_CLK_TCK);
  int64_t SinceBoot = std::strtoll(Field.c_str(), nullptr, 10);
  SinceBoot = SinceBoot * NsPerSecond / (Hz <= 0 ? 100 : Hz);
  return nowBy(CLOCK_REALTIME) - nowBy(CLOCK_BOOTTIME) + SinceBoot;
}

// The moment, in the profile's ticks; 0 if its clock isn't known yet.
uint64_t ticksNow(const loopscope_profile_header &H) {
  double PerNs = static_cast<double>(H.nominal_hz) / NsPerSecond;
  constexpr uint64_t LeastNs = 10'000'000; // see profile_format.h
  if (H.last_ns > H.start_ns + LeastNs && H.last_ticks > H.start_ticks)
    PerNs = static_cast<double>(H.last_ticks - H.start_ticks) /
            static_cast<double>(H.last_ns - H.start_ns);
  auto Now = static_cast<uint64_t>(nowBy(CLOCK_MONOTONIC));
  if (PerNs <= 0 || Now < H.start_ns)
    return 0;
  return H.start_ticks +
         static_cast<uint64_t>(static_cast<double>(Now - H.start_ns) * PerNs);
}

template <typename T> void put(int File, size_t Offset, const T &Value) {
  (void)!pwrite(File, &Value, sizeof(Value), static_cast<off_t>(Offset));
}

void complete(int File, const loopscope_profile_header &H, int Status) {
  using Header = loopscope_profile_header;
  bool ByItself = WIFEXITED(Status);
  int32_t Code = ByItself ? WEXITSTATUS(Status) : WTERMSIG(Status);
  if (H.end_state == LOOPSCOPE_END_RUNNING || !ByItself) {
    if (H.end_ticks == 0)
      put(File, offsetof(Header, end_ticks), ticksNow(H));
    put(File, offsetof(Header, end_code), Code);
    uint32_t State = ByItself ? LOOPSCOPE_END_EXITED : LOOPSCOPE_END_SIGNAL;
    put(File, offsetof(Header, end_state), State);
  } else {
    put(File, offsetof(Header, end_code), Code);
  }
}
} // namespace

bool loopscope::isHere(const Run &R) { return R.Host == hostName(); }

bool loopscope::isGone(const Run &R) {
  if (R.Ended != End::Running || !isHere(R))
    return false;
  if ((kill(R.Pid, 0) != 0 && errno == ESRCH) || hasStopped(R.Pid))
    return true;
  // Clocks are adjusted, and starts have a resolution of 10 ms.
  constexpr int64_t Tolerance = 2 * NsPerSecond;
  int64_t Start = startOf(R.Pid);
  return Start >= 0 && Start > R.StartRealtimeNs + Tolerance;
}

void loopscope::recordEnd(const std::string &Path, int Pid, int Status) {
  int File = open(Path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (File < 0)
    return;
  loopscope_profile_header H;
  bool Whole = pread(File, &H, sizeof(H), 0) == sizeof(H);
  if (Whole &&
      std::memcmp(H.magic, LOOPSCOPE_PROFILE_MAGIC, sizeof(H.magic)) == 0 &&
      H.pid == Pid && hostName().compare(0, sizeof(H.host) - 1, H.host) == 0)
    complete(File, H, Status);
  close(File);
}
