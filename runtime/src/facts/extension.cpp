// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When facts are read and written, and the words facts= and commit=.

#include "extension.h"

#include "base/slow_lock.h"
#include "base/system.h"
#include "commit.h"
#include "file.h"
#include "kept.h"
#include "process/facts.h"
#include "process/identity.h"
#include "process/options.h"
#include "profile/sums.h"

#include <loopscope/named_losses.h>

#include <errno.h>

using namespace loopscope::runtime;

namespace {
struct FactsSettings {
  char File[512] = "";
  bool WithCommit = true;
};
constinit FactsSettings Settings;

bool parseFile(char *Value, Options & /*Core*/, Text &Message) {
  return copyValue(Settings.File, sizeof(Settings.File), Value, "facts",
                   Message);
}

bool parseCommit(char *Value, Options & /*Core*/, Text &Message) {
  static constexpr const char *Names[] = {"off", "on"};
  uint32_t Chosen = chooseValue(Value, Names, 2, "commit", Message);
  Settings.WithCommit = Chosen == 1;
  return Chosen != 2;
}

constexpr OptionWord Words[] = {{"facts=FILE", parseFile},
                                {"commit=off|on", parseCommit}};

void start() {
  registerCounter(LOOPSCOPE_COUNT_FACTS_LOST);
  registerCounter(LOOPSCOPE_COUNT_FACTS_CUT);
  SlowLock Lock;
  if (Settings.File[0] != 0)
    readFacts(Settings.File);
}

// Thousands of ranks needn't read the same files.
void keepCommit() {
  int Saved = errno;
  TextBuffer<72> Commit;
  if (Settings.WithCommit && !Process.Settings.IsPrivate &&
      Process.Rank.Index <= 0 && !isKept(LOOPSCOPE_FACT_COMMIT) &&
      readCommit(workingDirectory(), Commit))
    keepFact({LOOPSCOPE_FACT_COMMIT, LOOPSCOPE_FACT_TEXT, 0, Commit.c_str()});
  errno = Saved;
}

void begin() {
  writeFacts();
  keepCommit();
}

EntryPoint entry() { return reinterpret_cast<EntryPoint>(takeFact); }
} // namespace

const Extension loopscope::runtime::FactsExtension = {
    .Name = "facts",
    .Words = Words,
    .Start = start,
    .ProfileReady = begin,
    .ChildOfFork = forgetFactRecords,
    .Entry = entry,
};
