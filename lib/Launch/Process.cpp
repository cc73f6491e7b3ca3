// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the tools behind the launcher.

#include "Launch/Process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

namespace loopscope::launch {
namespace {

std::vector<char *> pointers(const std::vector<std::string> &Command) {
  std::vector<char *> Argv;
  for (const std::string &Word : Command)
    Argv.push_back(const_cast<char *>(Word.c_str()));
  Argv.push_back(nullptr);
  return Argv;
}

Error cannotRun(const std::string &Program, int Why) {
  return {fmt::format("cannot run '{}': {}", Program, std::strerror(Why))};
}

constexpr std::array Deferrable = {SIGHUP, SIGINT, SIGTERM};

// Shared with the signal handler, which can't be passed arguments.
volatile std::sig_atomic_t Caught = 0; ///< The signal that was deferred, or 0.
volatile pid_t Running = 0;            ///< The child that gets signals, or 0.

void passOn(int Signal, siginfo_t *Info, void * /*Context*/) {
  int Saved = errno;
  Caught = Signal;
  // The child has received a terminal's signals itself.
  if (Running > 0 && Info->si_code != SI_KERNEL)
    kill(Running, Signal);
  errno = Saved;
}

/// Holds back deferrable signals while it lives.
class SignalBlock {
public:
  SignalBlock() {
    sigset_t Set;
    sigemptyset(&Set);
    for (int Signal : Deferrable)
      sigaddset(&Set, Signal);
    sigprocmask(SIG_BLOCK, &Set, &Before);
  }
  ~SignalBlock() { sigprocmask(SIG_SETMASK, &Before, nullptr); }
  SignalBlock(const SignalBlock &) = delete;
  SignalBlock &operator=(const SignalBlock &) = delete;

private:
  sigset_t Before;
};

/// A child starts with the signal handling that this process had before
/// deferSignals.
void forgetHandlers() {
  for (int Signal : Deferrable) {
    struct sigaction Now{};
    if (sigaction(Signal, nullptr, &Now) == 0 &&
        (Now.sa_flags & SA_SIGINFO) != 0 && Now.sa_sigaction == passOn)
      std::signal(Signal, SIG_DFL);
  }
}

Ending wait(pid_t Child) {
  siginfo_t Info{};
  while (waitid(P_PID, static_cast<id_t>(Child), &Info, WEXITED | WNOWAIT) <
             0 &&
         errno == EINTR)
    ;
  // Once it is reaped, another process may get its number.
  SignalBlock Block;
  Running = 0;
  int Status = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(Status))
    return {0, WTERMSIG(Status)};
  return {WEXITSTATUS(Status), 0};
}

/// Forks and runs COMMAND, calling PREPARE in the child. If the program can't
/// be run, errno comes back through a pipe that closes when exec succeeds.
template <typename Callable>
Result<pid_t> start(const std::vector<std::string> &Command, Callable Prepare) {
  std::vector<char *> Argv = pointers(Command);
  std::array<int, 2> Report{};
  if (pipe2(Report.data(), O_CLOEXEC) != 0)
    return cannotRun(Command[0], errno);
  pid_t Child = -1;
  {
    SignalBlock Block;
    Child = fork();
    if (Child == 0)
      forgetHandlers();
    else
      Running = Child;
  }
  if (Child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int Why = Prepare() ? 0 : errno;
    if (Why == 0) {
      execvp(Argv[0], Argv.data());
      Why = errno;
    }
    ssize_t Ignored = write(Report[1], &Why, sizeof(Why));
    _exit(Ignored < 0 ? 126 : 127);
  }
  int Why = errno;
  close(Report[1]);
  if (Child < 0) {
    close(Report[0]);
    return cannotRun(Command[0], Why);
  }
  ssize_t Length = 0;
  while ((Length = read(Report[0], &Why, sizeof(Why))) < 0 && errno == EINTR)
    ;
  close(Report[0]);
  if (Length == static_cast<ssize_t>(sizeof(Why))) {
    wait(Child);
    return cannotRun(Command[0], Why);
  }
  return Child;
}

/// Reads both descriptors to their ends.
void drain(int OutFile, int ErrFile, std::string &Out, std::string &Err) {
  std::array<pollfd, 2> Files = {{{OutFile, POLLIN, 0}, {ErrFile, POLLIN, 0}}};
  std::array<std::string *, 2> Texts = {&Out, &Err};
  unsigned Open = 2;
  while (Open != 0) {
    if (poll(Files.data(), Files.size(), -1) < 0) {
      if (errno == EINTR)
        continue;
      return;
    }
    for (std::size_t I = 0; I < Files.size(); ++I) {
      if (Files[I].fd < 0 || Files[I].revents == 0)
        continue;
      std::array<char, 4096> Buffer{};
      ssize_t Length = read(Files[I].fd, Buffer.data(), Buffer.size());
      if (Length > 0) {
        Texts[I]->append(Buffer.data(), static_cast<std::size_t>(Length));
      } else if (Length == 0 || errno != EINTR) {
        Files[I].fd = -1;
        --Open;
      }
    }
  }
}

} // namespace

Error execute(const std::vector<std::string> &Command) {
  std::vector<char *> Argv = pointers(Command);
  execvp(Argv[0], Argv.data());
  return cannotRun(Command[0], errno);
}

void deferSignals() {
  for (int Signal : Deferrable) {
    struct sigaction Now{};
    // An ignored signal (nohup) stays ignored.
    if (sigaction(Signal, nullptr, &Now) != 0 || Now.sa_handler != SIG_DFL)
      continue;
    Now.sa_sigaction = passOn;
    Now.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(Signal, &Now, nullptr);
  }
}

bool interrupted() { return Caught != 0; }

Result<Ending> run(const std::vector<std::string> &Command) {
  if (interrupted())
    return Ending{0, Caught};
  Result<pid_t> Child = start(Command, [] { return true; });
  if (!Child)
    return Child.error();
  Ending End = wait(*Child);
  return interrupted() ? Ending{0, Caught} : End;
}

Result<Captured> capture(const std::vector<std::string> &Command,
                         const std::string &Directory) {
  std::array<int, 2> Out{};
  std::array<int, 2> Err{};
  if (pipe2(Out.data(), O_CLOEXEC) != 0)
    return cannotRun(Command[0], errno);
  if (pipe2(Err.data(), O_CLOEXEC) != 0) {
    int Why = errno;
    close(Out[0]);
    close(Out[1]);
    return cannotRun(Command[0], Why);
  }
  Result<pid_t> Child = start(Command, [&] {
    int Null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return Null >= 0 && dup2(Null, STDIN_FILENO) >= 0 &&
           dup2(Out[1], STDOUT_FILENO) >= 0 &&
           dup2(Err[1], STDERR_FILENO) >= 0 && setenv("LC_ALL", "C", 1) == 0 &&
           (Directory.empty() || chdir(Directory.c_str()) == 0);
  });
  close(Out[1]);
  close(Err[1]);
  Captured Result;
  if (Child) {
    drain(Out[0], Err[0], Result.Out, Result.Err);
    Result.End = wait(*Child);
  }
  close(Out[0]);
  close(Err[0]);
  if (!Child)
    return Child.error();
  return Result;
}

std::string peekAtInput() {
  std::string Text;
  std::array<char, 1 << 16> Buffer{};
  off_t Begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
  if (Begin < 0) {
    int Memory = isatty(STDIN_FILENO) != 0
                     ? -1
                     : memfd_create("loopscope-stdin", MFD_CLOEXEC);
    if (Memory < 0)
      return "";
    ssize_t Length = 0;
    while ((Length = read(STDIN_FILENO, Buffer.data(), Buffer.size())) > 0)
      if (write(Memory, Buffer.data(), static_cast<std::size_t>(Length)) !=
          Length)
        break;
    Begin = 0;
    lseek(Memory, 0, SEEK_SET);
    dup2(Memory, STDIN_FILENO);
    close(Memory);
  }
  for (ssize_t Length = 0;
       (Length = pread(STDIN_FILENO, Buffer.data(), Buffer.size(),
                       Begin + static_cast<off_t>(Text.size()))) > 0;)
    Text.append(Buffer.data(), static_cast<std::size_t>(Length));
  return Text;
}

void endLike(const Ending &End) {
  if (int Signal = Caught != 0 ? Caught : End.Signal; Signal != 0) {
    std::signal(Signal, SIG_DFL);
    raise(Signal);
    _exit(128 + Signal);
  }
  std::exit(End.ExitCode);
}

std::string shellText(const std::vector<std::string> &Command) {
  constexpr std::string_view Plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=./,:@%";
  std::string Text;
  for (const std::string &Word : Command) {
    if (!Text.empty())
      Text += ' ';
    if (!Word.empty() && Word.find_first_not_of(Plain) == Word.npos) {
      Text += Word;
      continue;
    }
    Text += '\'';
    for (char C : Word)
      Text += C == '\'' ? "'\\''" : std::string(1, C);
    Text += '\'';
  }
  return Text;
}

} // namespace loopscope::launch
