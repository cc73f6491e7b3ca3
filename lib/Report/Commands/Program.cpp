// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork, exec, signals, wait.

#include "Report/Commands/Program.h"

#include "Report/Commands/Output.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
constexpr int NotFound = 127;
// Signals that others send us but mean for the program.
constexpr int Forwarded[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT};

// The program's process, for the signal handler.
volatile sig_atomic_t Program = 0;

void forwardSignal(int Number) {
  if (Program > 0)
    kill(static_cast<pid_t>(Program), Number);
}

// Lets a child wait for its parent.
class Gate {
public:
  Gate() {
    if (pipe2(Ends, O_CLOEXEC) != 0)
      Ends[0] = Ends[1] = -1;
  }
  ~Gate() {
    for (int Each : Ends)
      if (Each >= 0)
        close(Each);
  }
  Gate(const Gate &) = delete;
  Gate &operator=(const Gate &) = delete;

  /// In the child: returns when the parent has opened it, or is gone.
  void wait() {
    close(std::exchange(Ends[1], -1));
    char Byte = 0;
    while (read(Ends[0], &Byte, 1) < 0 && errno == EINTR) {
    }
  }
  void open() { close(std::exchange(Ends[1], -1)); }

private:
  int Ends[2];
};

[[noreturn]] void becomeProgram(const std::vector<std::string> &Command,
                                ProgramOutput Output) {
  if (Output == ProgramOutput::Dropped) {
    int Nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (Nowhere >= 0)
      dup2(Nowhere, STDOUT_FILENO);
  }
  std::vector<char *> Args;
  for (const std::string &Word : Command)
    Args.push_back(const_cast<char *>(Word.c_str()));
  Args.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  execvp(Args[0], Args.data());
  int Code = errno == ENOENT ? NotFound : NotExecutable;
  printError(fmt::format("{}: cannot run: {}", Command[0], strerror(errno)));
  _exit(Code);
}

} // namespace

EndedProgram loopscope::waitForProgram(const std::vector<std::string> &Command,
                                       ProgramOutput Output,
                                       const BeforeProgram &Before) {
  // A signal that arrives before it can be passed on is held back until then.
  sigset_t Held, Mask;
  sigemptyset(&Held);
  for (int Number : Forwarded)
    sigaddset(&Held, Number);
  sigprocmask(SIG_BLOCK, &Held, &Mask);
  std::optional<Gate> Start;
  if (Before)
    Start.emplace();
  pid_t Child = fork();
  if (Child == 0) {
    if (Start)
      Start->wait();
    sigprocmask(SIG_SETMASK, &Mask, nullptr);
    becomeProgram(Command, Output);
  }
  if (Child < 0) {
    sigprocmask(SIG_SETMASK, &Mask, nullptr);
    printError(fmt::format("cannot start {}: {}", Command[0], strerror(errno)));
    return {W_EXITCODE(NotExecutable, 0), 0};
  }
  if (Before) {
    Before(Child);
    Start->open();
  }
  Program = Child;
  // The terminal sends these to both processes; the program decides.
  auto *OldInterrupt = std::signal(SIGINT, SIG_IGN);
  auto *OldQuit = std::signal(SIGQUIT, SIG_IGN);
  for (int Number : Forwarded)
    std::signal(Number, forwardSignal);
  sigprocmask(SIG_SETMASK, &Mask, nullptr);
  int Status = 0;
  rusage Used{};
  while (wait4(Child, &Status, 0, &Used) < 0 && errno == EINTR) {
  }
  Program = 0;
  // The next program must start under the same conditions.
  std::signal(SIGINT, OldInterrupt);
  std::signal(SIGQUIT, OldQuit);
  auto Seconds = [](const timeval &Of) {
    return static_cast<double>(Of.tv_sec) +
           static_cast<double>(Of.tv_usec) * 1e-6;
  };
  return {Status, Child, Seconds(Used.ru_utime) + Seconds(Used.ru_stime)};
}

ProfileListing loopscope::listProfiles(const fs::path &Directory) {
  ProfileListing Result;
  std::error_code Failed;
  for (fs::directory_iterator At(Directory, Failed), Past;
       !Failed && At != Past; At.increment(Failed))
    if (At->path().extension() == ".loopscope")
      Result[At->path().string()] = At->last_write_time(Failed);
  return Result;
}
