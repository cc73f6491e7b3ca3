// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Live figures of the running loop.
//
// A line covers the steps since the previous line. To compute it, the sums at
// the previous line are kept for a few loops and their phases.

#include "extension.h"

#include "base/clock.h"
#include "base/free_name.h"
#include "base/kernel_time.h"
#include "base/option_words.h"
#include "base/slow_lock.h"
#include "base/system.h"
#include "process/facts.h"
#include "process/identity.h"
#include "process/options.h"
#include "profile/files.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "profile/profile_name.h"
#include "tree/extension.h"
#include "tree/slow_path.h"
#include "tree/subscriptions.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace loopscope::runtime;

ProgressOptions loopscope::runtime::ProgressSettings;

namespace {
constexpr uint64_t LogSteps = 10;
constexpr uint64_t LogNs = 100000000;
constexpr uint64_t ProgressNs = 200000000;
constexpr int MaxLoops = 8;
constexpr int MaxPhases = 32;

// A node's sum at the previous line.
struct Mark {
  Node *Of;
  uint64_t Ticks;
};

// A STEP, and its figures at the previous line.
struct LoopFigures {
  Node *Step;
  uint64_t Count;
  uint64_t Samples;
  Mark Sums[MaxPhases];
};

// One of the two outputs.
struct Output {
  uint64_t DueTicks; // not due before
  LoopFigures Loops[MaxLoops];
};

struct ProgressState {
  char LogPath[1100];
  dev_t LogDevice;
  ino_t LogInode;
  bool HaveLog;
  bool HaveProgress;
  bool ProgressDrawn;
  bool Forked;
  Output Log;
  Output Progress;
};
ProgressState Shown;

// Converts ticks with the calibration so far.
uint64_t toNs(uint64_t Ticks) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(static_cast<Wide>(Ticks) * NsPerSecond /
                               calibratedHz(*Header));
}

// Prints NUMBER / 10^DECIMALS, independent of the locale.
void appendFixed(Text &To, uint64_t Number, int Decimals) {
  uint64_t Unit = 1;
  for (int I = 0; I < Decimals; ++I)
    Unit *= 10;
  To << static_cast<int64_t>(Number / Unit) << '.';
  for (Unit /= 10; Unit != 0; Unit /= 10)
    To << static_cast<char>('0' + Number / Unit % 10);
}

// Prints COUNT per second, with one decimal.
void appendRate(Text &To, uint64_t Count, uint64_t Ns) {
  __extension__ using Wide = unsigned __int128;
  auto Tenths =
      Ns == 0 ? Wide(0) : static_cast<Wide>(Count) * NsPerSecond * 10 / Ns;
  appendFixed(To, static_cast<uint64_t>(Tenths), 1);
}

// Appends a phase's name, escaped for a JSON string.
void appendName(Text &To, const char *Name) {
  for (; *Name != 0; ++Name) {
    if (*Name == '"' || *Name == '\\')
      To << '\\';
    To << (static_cast<unsigned char>(*Name) < ' ' ? ' ' : *Name);
  }
}

LoopFigures *find(Output &F, Node *Step) {
  for (LoopFigures &Each : F.Loops) {
    if (Each.Step == nullptr)
      Each.Step = Step;
    if (Each.Step == Step)
      return &Each;
  }
  return nullptr;
}

// The time in N since the previous line. Stores the sum for the next one.
uint64_t spentSince(LoopFigures &F, Node *N) {
  for (Mark &Each : F.Sums) {
    if (Each.Of == nullptr)
      Each.Of = N;
    if (Each.Of != N)
      continue;
    uint64_t Spent = N->sum_ticks - Each.Ticks;
    Each.Ticks = N->sum_ticks;
    return Spent;
  }
  return 0;
}

// Appends the figures of one row of a line.
void appendRow(Text &To, const char *Name, uint64_t Ticks, uint64_t Count,
               uint64_t Samples) {
  uint64_t Ns = toNs(Ticks);
  To << ",\"duration/";
  appendName(To, Name);
  To << "\":";
  appendFixed(To, Count == 0 ? 0 : Ns / Count, 9);
  if (Samples == 0 || Ns == 0)
    return;
  To << ",\"throughput/";
  appendName(To, Name);
  To << "\":";
  appendRate(To, Samples, Ns);
}

void appendLine(Text &To, LoopFigures &F, uint64_t Steps, uint64_t Now) {
  Node *Step = F.Step;
  Node *Draw = links(Step).FirstChild;
  Node *Batch = links(Draw).Successor;
  bool Train = links(Step).Parent->kind == LOOPSCOPE_KIND_TRAIN;
  uint64_t Count = Step->count - F.Count;
  uint64_t Samples = Step->samples - F.Samples;
  To << "{\"time_s\":";
  appendFixed(To, toNs(Now - Header->start_ticks), 9);
  To << ",\"loop\":\"" << (Train ? "train" : "valid")
     << "\",\"step\":" << static_cast<int64_t>(Steps)
     << ",\"steps\":" << static_cast<int64_t>(Count)
     << ",\"samples\":" << static_cast<int64_t>(Samples);
  appendRow(To, "step", spentSince(F, Step), Count, Samples);
  appendRow(To, "draw", spentSince(F, Draw), Count, 0);
  appendRow(To, "batch", spentSince(F, Batch), Count, Samples);
  findAmong(Batch, [&](Node *N) {
    if (siteOf(N) != nullptr)
      appendRow(To, siteOf(N)->__name, spentSince(F, N), Count, Samples);
    return false;
  });
  To << "}\n";
}

// Appends to the log, if the file is still the one that we made.
void writeLine(const Text &Line) {
  int File = open(Shown.LogPath,
                  O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (File < 0)
    return;
  struct stat Status{};
  if (fstat(File, &Status) == 0 && Status.st_dev == Shown.LogDevice &&
      Status.st_ino == Shown.LogInode)
    writeQuietly(File, Line.c_str(), Line.size());
  close(File);
}

// The terminal's width, or an old terminal's if it is unknown.
size_t terminalColumns() {
  constexpr size_t Usual = 80;
  winsize Size{};
  return syscall(SYS_ioctl, STDERR_FILENO, TIOCGWINSZ, &Size) == 0 &&
                 Size.ws_col != 0
             ? Size.ws_col
             : Usual;
}

// Draws LINE two lines below the cursor, cut to the terminal's width, and
// restores the cursor. The program's output up to the next drawing stays clear
// of it, unless it has more than two lines.
void drawBelow(const Text &Line) {
  TextBuffer<320> Drawn;
  // Erase below the cursor; make room for two lines: go down, scrolling at the
  // end of the screen, and up again.
  Drawn << "\033[J\033D\033D\033M\033M";
  // Save the cursor; two lines down, first column.
  Drawn << "\0337\033[2B\r";
  size_t Shown = terminalColumns() - 1;
  for (size_t I = 0; I < Line.size() && I < Shown; ++I)
    Drawn << Line.c_str()[I];
  Drawn << "\0338"; // back
  writeQuietly(STDERR_FILENO, Drawn.c_str(), Drawn.size());
}

void drawProgress(LoopFigures &F, uint64_t Steps) {
  Node *Step = F.Step;
  Node *Draw = links(Step).FirstChild;
  uint64_t Count = Step->count - F.Count;
  uint64_t Samples = Step->samples - F.Samples;
  uint64_t StepTicks = spentSince(F, Step);
  uint64_t DrawTicks = spentSince(F, Draw);
  bool Train = links(Step).Parent->kind == LOOPSCOPE_KIND_TRAIN;
  TextBuffer<256> Line;
  Line << (Train ? "train" : "valid") << ": " << static_cast<int64_t>(Steps)
       << " steps, ";
  uint64_t Ns = toNs(StepTicks);
  if (Step->samples != 0) {
    appendRate(Line, Samples, Ns);
    Line << " samples/s now, ";
    appendRate(Line, Step->samples, toNs(Step->sum_ticks));
    Line << " on average, ";
  } else {
    appendRate(Line, Count, Ns);
    Line << " steps/s, ";
  }
  uint64_t Percent = StepTicks == 0 ? 0 : DrawTicks / (StepTicks / 100 + 1);
  Line << static_cast<int64_t>(Percent) << "% waiting for data";
  drawBelow(Line);
  Shown.ProgressDrawn = true;
}

// The loop's figures if a line of F is due, else null.
LoopFigures *due(Output &F, Node *Step, uint64_t LeastSteps, uint64_t EveryNs,
                 uint64_t Now) {
  if (Now < F.DueTicks)
    return nullptr;
  LoopFigures *Loop = find(F, Step);
  if (Loop == nullptr || Step->count - Loop->Count < LeastSteps)
    return nullptr;
  F.DueTicks = Now + calibratedHz(*Header) / (NsPerSecond / EveryNs);
  return Loop;
}

void written(LoopFigures &F) {
  F.Count = F.Step->count;
  F.Samples = F.Step->samples;
}

// Creates the log file, with a number if the name is taken.
bool createLog(const char *Path) {
  Text Name(Shown.LogPath, sizeof(Shown.LogPath));
  int File =
      makeUnderFreeName(Path, strlen(Path), Name, [](const char *Candidate) {
        return open(Candidate,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      });
  if (File < 0)
    return false;
  struct stat Status{};
  fstat(File, &Status);
  Shown.LogDevice = Status.st_dev;
  Shown.LogInode = Status.st_ino;
  close(File);
  warnOfOtherName("log", Path, Shown.LogPath);
  return true;
}

// Creates the log file, and checks whether stderr is a terminal.
void startProgress() {
  if (Shown.Forked)
    return; // the log and terminal line belong to the parent
  int Saved = errno;
  if (ProgressSettings.Log[0] != 0) {
    TextBuffer<1024> Path;
    makeOutputPath(ProgressSettings.Log, Path);
    Shown.HaveLog = createLog(Path.c_str());
    if (!Shown.HaveLog) {
      TextBuffer<1400> Message;
      Message << "cannot make the log " << Path.c_str() << ": "
              << reasonOf(errno) << "; nothing is logged";
      warn(Message.c_str());
    }
  }
  Shown.HaveProgress = ProgressSettings.OnTerminal && Process.Rank.Index <= 0 &&
                       isStream(STDERR_FILENO) && isatty(STDERR_FILENO) == 1;
  Shown.Log.DueTicks = Shown.HaveLog ? 0 : UINT64_MAX;
  Shown.Progress.DueTicks = Shown.HaveProgress ? 0 : UINT64_MAX;
  if (Shown.HaveLog || Shown.HaveProgress)
    watchSteps();
  errno = Saved;
}

// Writes what is due.
uint64_t writeDue(Node *Step, uint64_t Steps, uint64_t Now) {
  if (Now < Shown.Log.DueTicks && Now < Shown.Progress.DueTicks)
    return 0;
  // Another thread's loop is writing: the next line has this step.
  SlowPath Path;
  if (!Path)
    return 0;
  SlowLock Lock(SlowLock::IfFree);
  if (!Lock)
    return 0;
  uint64_t Began = now();
  int Saved = errno;
  calibrate(*Header);
  if (Shown.HaveLog)
    if (LoopFigures *F = due(Shown.Log, Step, LogSteps, LogNs, Now)) {
      TextBuffer<8192> Line;
      appendLine(Line, *F, Steps, Now);
      written(*F);
      if (!Line.isCut())
        writeLine(Line);
    }
  if (Shown.HaveProgress)
    if (LoopFigures *F = due(Shown.Progress, Step, 1, ProgressNs, Now)) {
      drawProgress(*F, Steps);
      written(*F);
    }
  errno = Saved;
  return now() - Began;
}

// Erases the line on the terminal, if any.
void endProgress() {
  if (!Shown.ProgressDrawn)
    return;
  constexpr char Erase[] = "\033[J";
  writeQuietly(STDERR_FILENO, Erase, sizeof(Erase) - 1);
  Shown.ProgressDrawn = false;
}

void resetProgress() {
  Shown.Forked = true;
  Shown.HaveLog = Shown.HaveProgress = Shown.ProgressDrawn = false;
}

bool parseLog(char *Value, Options & /*Core*/, Text &Message) {
  return copyValue(ProgressSettings.Log, sizeof(ProgressSettings.Log), Value,
                   "log", Message);
}

bool parseProgress(char * /*Value*/, Options & /*Core*/, Text & /*Message*/) {
  ProgressSettings.OnTerminal = true;
  return true;
}

constexpr OptionWord Words[] = {{"log=FILE", parseLog},
                                {"progress", parseProgress}};
} // namespace

const Extension loopscope::runtime::ProgressExtension = {
    .Name = "progress",
    .CostKey = LOOPSCOPE_SUM_COST "progress",
    .Words = Words,
    .ProfileMade = startProgress,
    .StepEnded = writeDue,
    .ChildOfFork = resetProgress,
    .Stop = endProgress,
};
