// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts every test like a forked child, with nothing recorded.

#include "Fixture.h"

#include "base/clock.h"
#include "base/system.h"
#include "process/facts.h"
#include "process/options.h"
#include "process/process.h"
#include "profile/node_links.h"
#include "profile/profile_file.h"
#include "tree/own_tree.h"
#include "tree/schedule.h"

#include <filesystem>
#include <memory>

using namespace loopscope::runtime;

RuntimeTest::RuntimeTest() {
  std::string Pattern = testing::TempDir() + "loopscope-XXXXXX";
  Directory = mkdtemp(Pattern.data());
  Process.Settings = Options();
  StepSchedule = Schedule();
  Process.Settings.Report = ReportTo::None;
  Process.Settings.RoundMs = 0; // its thread would outlive the test's profile
  copyHead(Process.Settings.Output, sizeof(Process.Settings.Output),
           (Directory + "/").c_str());
  __loopscope_active = 1;
  UseCounter = true;
  FakeTicks = 1000;
}

RuntimeTest::~RuntimeTest() {
  forgetRun();
  __loopscope_active = 0;
  std::filesystem::remove_all(Directory);
}

void RuntimeTest::advance(uint64_t Ticks) { FakeTicks += Ticks; }

const loopscope_site *RuntimeTest::site(const std::string &Name,
                                        loopscope_kind Kind) {
  struct Owned {
    std::string Name;
    loopscope_site Site;
  };
  static std::map<std::pair<std::string, int>, std::unique_ptr<Owned>> All;
  std::unique_ptr<Owned> &Slot = All[{Name, Kind}];
  if (!Slot) {
    Slot = std::make_unique<Owned>();
    Slot->Name = Name;
    Slot->Site = LOOPSCOPE_SITE(static_cast<uint16_t>(Kind), Slot->Name.c_str(),
                                1, "test");
  }
  return &Slot->Site;
}

static std::string nameOf(Node *N) {
  switch (N->kind) {
  case LOOPSCOPE_KIND_STEP:
    return (N->flags & LOOPSCOPE_NODE_WARMUP) != 0     ? "step*"
           : (N->flags & LOOPSCOPE_NODE_EXCLUDED) != 0 ? "step-"
                                                       : "step";
  case LOOPSCOPE_KIND_BATCH:
    return "batch";
  default:
    return siteOf(N) == nullptr ? "draw" : siteOf(N)->__name;
  }
}

static void collect(Node *Parent, const std::string &Path,
                    std::map<std::string, Node *> &Result) {
  findAmong(Parent, [&](Node *N) {
    std::string Own = Path + nameOf(N);
    EXPECT_TRUE(Result.emplace(Own, N).second) << Own << " is there twice";
    collect(N, Own + "/", Result);
    return false;
  });
}

std::map<std::string, Node *> RuntimeTest::nodes() {
  std::map<std::string, Node *> Result;
  Node *Root = ownTree() == nullptr ? nullptr : links(ownTree()).Current;
  while (Root != nullptr && links(Root).Parent != nullptr)
    Root = links(Root).Parent;
  if (Root != nullptr)
    collect(Root, "", Result);
  return Result;
}

Node &RuntimeTest::node(const std::string &Path) {
  static Node Missing;
  std::map<std::string, Node *> All = nodes();
  auto Found = All.find(Path);
  if (Found != All.end())
    return *Found->second;
  ADD_FAILURE() << "no node " << Path;
  Missing = {};
  return Missing;
}

uint64_t RuntimeTest::counter(loopscope_counter Counter) {
  return Header == nullptr ? 0 : Header->counters[Counter];
}

std::string RuntimeTest::finish() {
  // For the reader, a tick is a nanosecond.
  Header->clock_kind = LOOPSCOPE_CLOCK_MONOTONIC;
  Header->start_ticks = 1000;
  Header->hook_inside_ticks1024 = 0;
  Header->hook_outside_ticks1024 = 0;
  Header->end_ticks = FakeTicks;
  Header->end_state = LOOPSCOPE_END_EXITED;
  return profilePath();
}

std::string loopscope::runtime::pathOf(const loopscope::Run &R,
                                       const loopscope::Node &N) {
  std::string Name = R.nameOf(N);
  if (N.Kind == LOOPSCOPE_KIND_STEP)
    Name = N.Excluded ? "step-" : N.Warmup ? "step*" : "step";
  else if (N.Kind == LOOPSCOPE_KIND_BATCH)
    Name = "batch";
  else if (N.Kind == LOOPSCOPE_KIND_DRAW &&
           R.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_STEP)
    Name = "draw";
  const loopscope::Node &Parent = R.Nodes[N.Parent];
  return Parent.Parent == loopscope::None ? Name
                                          : pathOf(R, Parent) + "/" + Name;
}
