// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers and parsers of control groups and PSI.

#include "limits.h"

#include "base/system.h"
#include "proc_text.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
using FileName = TextBuffer<1280>;

double percent(uint64_t Part, uint64_t Whole) {
  return 100 * static_cast<double>(Part) / static_cast<double>(Whole);
}

// Finds the total of "some" or "full" in a PSI text.
bool findTotal(const char *Text, const char *Line, uint64_t &Total) {
  const char *At = strstr(Text, Line);
  const char *End = At == nullptr ? nullptr : strchr(At, '\n');
  At = At == nullptr ? nullptr : strstr(At, " total=");
  if (At == nullptr || (End != nullptr && At > End))
    return false;
  At += strlen(" total=");
  return takeNumber(At, Total);
}

// Whether NAME is among the comma-separated names from BEGIN to END.
bool isAmong(const char *Begin, const char *End, const char *Name) {
  size_t Length = strlen(Name);
  for (const char *At = Begin; At + Length <= End; ++At)
    if (strncmp(At, Name, Length) == 0 && (At == Begin || At[-1] == ',') &&
        (At + Length == End || At[Length] == ','))
      return true;
  return false;
}

template <size_t N>
bool copyText(char (&To)[N], const char *From, size_t Length) {
  if (Length >= N)
    return false;
  memcpy(To, From, Length);
  To[Length] = 0;
  return true;
}

// Changes PATH to its parent group; false if it is the outermost.
bool goUp(char *Path) {
  char *Slash = strrchr(Path, '/');
  if (Slash == nullptr)
    return false;
  *Slash = 0;
  return true;
}
} // namespace

bool loopscope::runtime::parseQuotaUse(const char *Text, QuotaUse &Result) {
  QuotaUse Use;
  uint64_t Us = 0;
  if (!findNumber(Text, "nr_periods ", Use.Periods) ||
      !findNumber(Text, "nr_throttled ", Use.Throttled) || Use.Periods == 0)
    return false;
  if (findNumber(Text, "throttled_usec ", Us)) // version 2
    Use.ThrottledNs = Us * 1000;
  else if (!findNumber(Text, "throttled_time ", Use.ThrottledNs))
    return false;
  Result = Use;
  return true;
}

bool loopscope::runtime::parsePressure(const char *Text, Pressure &Result) {
  Pressure Found;
  if (!findTotal(Text, "some ", Found.SomeUs) ||
      !findTotal(Text, "full ", Found.FullUs))
    return false;
  Result = Found;
  return true;
}

bool loopscope::runtime::parseGroups(const char *Text, GroupPlace &Result) {
  bool Found = false;
  // "4:cpu,cpuacct:/path" in version 1, "0::/path" in version 2.
  for (const char *Line = Text; *Line != 0;) {
    const char *End = strchr(Line, '\n');
    End = End == nullptr ? Line + strlen(Line) : End;
    const char *Names = strchr(Line, ':');
    const char *Path = Names == nullptr ? nullptr : strchr(Names + 1, ':');
    if (Path != nullptr && Path < End) {
      ++Names;
      bool IsFirst = isAmong(Names, Path, "cpu");
      GroupPlace Place;
      size_t Length = static_cast<size_t>(End - Path) - 1;
      // The outermost group is "/".
      Length = Length == 1 ? 0 : Length;
      TextBuffer<sizeof(Place.Base)> Base;
      Base << "/sys/fs/cgroup";
      if (IsFirst)
        Base << '/';
      Base.append(Names, static_cast<size_t>(Path - Names));
      if ((IsFirst || Path == Names) &&
          copyText(Place.Path, Path + 1, Length) &&
          copyText(Place.Base, Base.c_str(), Base.size())) {
        Result = Place;
        Found = true;
        if (IsFirst)
          return true;
      }
    }
    Line = *End == 0 ? End : End + 1;
  }
  return Found;
}

bool LimitsReader::findGroups() {
  FileName File;
  File << Root << "/proc/self/cgroup";
  char Text[4096];
  GroupPlace Now;
  if (readFile(File.c_str(), Text, sizeof(Text)) == 0 ||
      !parseGroups(Text, Now))
    return false;
  // The process was moved to other groups, which have other counts.
  if (strcmp(Now.Base, Place.Base) != 0 || strcmp(Now.Path, Place.Path) != 0)
    LastQuotaNs = LastPressureNs = 0;
  Place = Now;
  return true;
}

void LimitsReader::readThrottling(uint64_t NowNs, Reading *Into) {
  if (!findGroups())
    return;
  char Path[sizeof(Place.Path)];
  memcpy(Path, Place.Path, sizeof(Path));
  uint64_t ThrottledNs = 0;
  double MostPeriods = 0;
  bool HasQuota = false;
  unsigned Level = 0;
  do {
    FileName File;
    File << Root << Place.Base << Path << "/cpu.stat";
    char Text[1024];
    if (readFile(File.c_str(), Text, sizeof(Text)) == 0)
      continue;
    QuotaUse Now;
    QuotaUse &Before = Last[Level];
    if (parseQuotaUse(Text, Now) && Now.Periods >= Before.Periods &&
        Now.Throttled >= Before.Throttled &&
        Now.ThrottledNs >= Before.ThrottledNs) {
      HasQuota = true;
      ThrottledNs += Now.ThrottledNs - Before.ThrottledNs;
      if (uint64_t Periods = Now.Periods - Before.Periods; Periods != 0) {
        double Part = percent(Now.Throttled - Before.Throttled, Periods);
        MostPeriods = Part > MostPeriods ? Part : MostPeriods;
      }
    }
    Before = Now;
  } while (++Level < MostLevels && goUp(Path));
  if (HasQuota && LastQuotaNs != 0 && NowNs > LastQuotaNs) {
    Into[CpuThrottledPercent] = {percent(ThrottledNs, NowNs - LastQuotaNs),
                                 true};
    Into[CpuThrottledPeriods] = {MostPeriods, true};
  }
  LastQuotaNs = NowNs;
}

void LimitsReader::readPressure(uint64_t NowNs, Reading *Into) {
  char Text[512];
  Pressure Now;
  bool IsGroups = false;
  if (findGroups()) {
    FileName File;
    File << Root << Place.Base << Place.Path << "/memory.pressure";
    IsGroups = readFile(File.c_str(), Text, sizeof(Text)) != 0 &&
               parsePressure(Text, Now);
  }
  if (!IsGroups) {
    FileName File;
    File << Root << "/proc/pressure/memory";
    if (readFile(File.c_str(), Text, sizeof(Text)) == 0 ||
        !parsePressure(Text, Now))
      return;
  }
  if (IsGroups == PressureIsGroups && LastPressureNs != 0 &&
      NowNs > LastPressureNs && Now.SomeUs >= LastPressure.SomeUs &&
      Now.FullUs >= LastPressure.FullUs) {
    uint64_t Ns = NowNs - LastPressureNs;
    Into[MemoryPressureSome] = {
        percent((Now.SomeUs - LastPressure.SomeUs) * 1000, Ns), true};
    Into[MemoryPressureFull] = {
        percent((Now.FullUs - LastPressure.FullUs) * 1000, Ns), true};
  }
  LastPressure = Now;
  LastPressureNs = NowNs;
  PressureIsGroups = IsGroups;
}
