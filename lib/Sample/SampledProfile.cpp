// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header, code and samples, through the runtime's writer.

#include "Sample/SampledProfile.h"

#include "Support/Paths.h"

#include "base/clock.h"
#include "base/free_name.h"
#include "base/slow_lock.h"
#include "process/rank.h"
#include "profile/profile_file.h"
#include "profile/profile_save.h"
#include "profile/sites.h"
#include "profile/sums.h"
#include "stacks/table.h"

#include <loopscope/abi.h>
#include <loopscope/named_losses.h>
#include <loopscope/run_settings.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>

using namespace loopscope;
namespace fs = std::filesystem;

// The runtime's writer sets them to 0 when a profile is lost, so that hooks do
// nothing. There are none here; because they are defined, none get linked.
extern "C" {
__attribute__((weak)) unsigned char __loopscope_active = 0;
__attribute__((weak)) unsigned char __loopscope_functions_active = 0;
}

namespace {
runtime::ProfileName nameOf(const SampledProcess &Of,
                            const std::string &Directory,
                            const std::string &Program) {
  return {Of.Output.c_str(), Directory.c_str(), Program.c_str(), Of.Pid,
          runtime::readRank().Index};
}

void setBuildId(const std::string &Hexadecimal, loopscope_code &Into) {
  size_t Bytes = std::min(Hexadecimal.size() / 2, std::size(Into.build_id));
  for (size_t I = 0; I < Bytes; ++I)
    std::from_chars(Hexadecimal.data() + 2 * I, Hexadecimal.data() + 2 * I + 2,
                    Into.build_id[I], 16);
  Into.build_id_size = static_cast<uint32_t>(Bytes);
}
} // namespace

SampledProfile::SampledProfile(SampledProcess Of) : Process(std::move(Of)) {
  runtime::readStandardStreams();
  runtime::startClock();
  runtime::registerStackTable();
  runtime::registerCounter(LOOPSCOPE_COUNT_STACKS_UNREAD);
  for (const char *Each :
       {LOOPSCOPE_COUNT_STACKS_CPU_NS, LOOPSCOPE_COUNT_STACKS_EVERY_NS,
        LOOPSCOPE_COUNT_STACKS_USER_ONLY})
    runtime::registerCounter(Each);
  runtime::keepSetting(LOOPSCOPE_SETTING_STACKS_HZ, Process.Hz);
  std::error_code Failed;
  Directory = fs::current_path(Failed).string();
}

void SampledProfile::setProgram(const std::string &File) {
  Program = File;
  // A script's interpreter has other arguments.
  std::string Words = readFile(fmt::format("/proc/{}/cmdline", Process.Pid));
  if (Words.empty())
    return;
  Words.pop_back();
  std::replace(Words.begin(), Words.end(), '\0', ' ');
  Process.Command = std::move(Words);
}

void SampledProfile::describe(loopscope_profile_header &Into) const {
  Into.pid = Process.Pid;
  Into.parent_pid = getpid();
  runtime::Rank Rank = runtime::readRank();
  Into.rank = Rank.Index;
  Into.world_size = Rank.World;
  runtime::copyHead(Into.rank_source, sizeof(Into.rank_source), Rank.Source);
  if (Rank.Index >= 0) {
    runtime::TextBuffer<sizeof(Into.run_id)> Id;
    runtime::readRunId(Id);
    runtime::copyHead(Into.run_id, sizeof(Into.run_id), Id.c_str());
  }
  char Host[HOST_NAME_MAX + 1] = "";
  if (gethostname(Host, sizeof(Host) - 1) == 0)
    runtime::copyHead(Into.host, sizeof(Into.host), Host);
  runtime::copyTail(Into.program, sizeof(Into.program), Program.c_str());
  runtime::copyTail(Into.working_directory, sizeof(Into.working_directory),
                    Directory.c_str());
  if (Process.IsPrivate)
    Into.flags |= LOOPSCOPE_FLAG_PRIVATE;
  else
    runtime::copyHead(Into.command_line, sizeof(Into.command_line),
                      Process.Command.c_str());
  runtime::copyHead(Into.options, sizeof(Into.options),
                    Process.Options.c_str());
  Into.mode = LOOPSCOPE_MODE_SIMPLE;
  runtime::describeClock(Into);
}

// The order of the steps is that of the runtime (process.cpp).
bool SampledProfile::begin() {
  runtime::TextBuffer<1024> Path;
  bool NameHasPid =
      runtime::makeProfileName(nameOf(Process, Directory, Program), Path);
  runtime::TextBuffer<1400> Why;
  loopscope_profile_header *New = runtime::openProfile(Path.c_str(), Why);
  if (New != nullptr) {
    describe(*New);
    std::memcpy(New->magic, LOOPSCOPE_PROFILE_MAGIC, sizeof(New->magic));
    if (!runtime::nameProfile(Path.c_str(), Why))
      New->flags |= LOOPSCOPE_FLAG_ANONYMOUS;
  } else {
    Why << "no memory for a profile; the program runs unprofiled";
  }
  if (Why.size() != 0)
    runtime::warn(Why.c_str());
  if (New == nullptr)
    return false;
  if (runtime::profilePath()[0] != 0 && !NameHasPid)
    runtime::warnOfOtherName("profile", Path.c_str(), runtime::profilePath());
  {
    runtime::SlowLock Lock;
    __atomic_store_n(&runtime::Header, New, __ATOMIC_RELEASE);
    runtime::makeCounters();
  }
  runtime::makeStackTable();
  HasBegun = true;
  runtime::addToCounter(
      runtime::registerCounter(LOOPSCOPE_COUNT_STACKS_EVERY_NS),
      Process.PeriodNs);
  if (!Process.HasKernel)
    runtime::addToCounter(
        runtime::registerCounter(LOOPSCOPE_COUNT_STACKS_USER_ONLY), 1);
  for (Code &Each : Codes)
    write(Each);
  for (const Sample &Each : Early)
    write(Each);
  Early.clear();
  return true;
}

void SampledProfile::add(const CodeSegment &New) {
  bool HasGone = false;
  for (Code &Each : Codes) {
    if (Each.Until != LOOPSCOPE_NONE || New.End <= Each.Segment.Start ||
        Each.Segment.End <= New.Start)
      continue;
    Each.Until = Loading + 1;
    if (Each.Written != nullptr)
      __atomic_store_n(&Each.Written->until, Each.Until, __ATOMIC_RELEASE);
    HasGone = true;
  }
  Loading += HasGone ? 1 : 0;
  Codes.push_back({New, Loading, LOOPSCOPE_NONE, nullptr});
  if (HasBegun)
    write(Codes.back());
}

void SampledProfile::write(Code &Of) {
  constexpr uint32_t PerChunk = 45; // a page
  runtime::SlowLock Lock;
  runtime::Chunk *In = runtime::roomFor(Last, LOOPSCOPE_CHUNK_CODE, 1, PerChunk,
                                        sizeof(loopscope_code));
  if (In == nullptr)
    return;
  loopscope_code *Entry =
      reinterpret_cast<loopscope_code *>(runtime::entries(In)) + In->used;
  Entry->start = Of.Segment.Start;
  Entry->end = Of.Segment.End;
  Entry->bias = Of.Segment.Bias;
  Entry->from = Of.From;
  Entry->until = Of.Until;
  setBuildId(Of.Segment.Image->buildId(), *Entry);
  runtime::storeString(Of.Segment.Path.c_str(), Entry->path);
  runtime::publish(In, 1);
  Of.Written = Entry;
}

void SampledProfile::add(int Tid, const runtime::WalkedStack &Stack) {
  Sample New;
  New.Thread = LOOPSCOPE_STACK_THREAD_ID | static_cast<uint32_t>(Tid);
  New.Flags = LOOPSCOPE_STACK_FOREIGN |
              (Stack.IsWhole ? LOOPSCOPE_STACK_WHOLE : 0) |
              (Stack.IsGuessed ? LOOPSCOPE_STACK_GUESSED : 0) |
              (Stack.IsCut ? LOOPSCOPE_STACK_CUT : 0);
  New.Loading = Loading;
  New.Frames.assign(Stack.Frames, Stack.Frames + Stack.Depth);
  if (HasBegun)
    write(New);
  else
    Early.push_back(std::move(New));
}

void SampledProfile::write(const Sample &Of) {
  if (Of.Frames.empty())
    return;
  runtime::addStackSample({LOOPSCOPE_NONE, Of.Thread, Of.Flags, Of.Loading,
                           static_cast<uint32_t>(Of.Frames.size()),
                           Of.Frames.data()});
}

void SampledProfile::update(uint64_t CpuNs, uint64_t Lost) {
  if (!HasBegun)
    return;
  runtime::addToCounter(runtime::registerCounter(LOOPSCOPE_COUNT_STACKS_CPU_NS),
                        CpuNs - CountedCpuNs);
  runtime::addToCounter(LOOPSCOPE_COUNT_STACKS_UNREAD, Lost - CountedLost);
  CountedCpuNs = CpuNs;
  CountedLost = Lost;
  runtime::lookAtFile();
  runtime::calibrate(*runtime::Header);
}

void SampledProfile::finish() {
  if (!HasBegun)
    return;
  runtime::Header->end_ticks = runtime::now();
  runtime::calibrate(*runtime::Header);
  runtime::saveProfile(nameOf(Process, Directory, Program));
}
