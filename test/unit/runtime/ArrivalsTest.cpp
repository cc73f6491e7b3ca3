// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What rank 0 of four learns of the others from profiles of processes that run,
// or have ended, while it waits in MPI_Finalize.

#include "Fixture.h"

#include "comm/arrivals.h"
#include "process/facts.h"
#include "process/process.h"
#include "profile/profile_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
constexpr uint64_t Second = 1000000000;

class ArrivalsTest : public RuntimeTest {
protected:
  ArrivalsTest() : Before(Process.Rank) {
    startRuntime();
    ensureProfile();
    Process.Rank = {0, 4, "MPI_COMM_WORLD"};
    Header->rank = 0;
    Header->world_size = 4;
    Gone = fork();
    if (Gone == 0)
      _exit(0);
    waitpid(Gone, nullptr, 0);
    unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    unsetenv("MPI_LOCALNRANKS");
  }
  ~ArrivalsTest() override {
    Process.Rank = Before;
    unsetenv("MPI_LOCALNRANKS");
  }

  // Writes the profile of RANK as CHANGE leaves it; by default, of a process
  // that runs.
  template <typename Function> void write(int Rank, Function Change) {
    loopscope_profile_header H = *Header;
    H.rank = Rank;
    H.in_finalize = 0;
    H.parent_pid = getpid();
    Change(H);
    std::filesystem::path Path = profilePath();
    Path.replace_filename(std::to_string(Count++) + ".loopscope");
    std::ofstream(Path, std::ios::binary)
        .write(reinterpret_cast<const char *>(&H), sizeof(H));
  }
  void writeHere(int Rank) {
    write(Rank, [](auto &H) { H.in_finalize = 1; });
  }
  void writeLate(int Rank) {
    write(Rank, [](auto &) {});
  }

  // Whether to wait after each of these times, and what is said at the end.
  static std::string after(std::initializer_list<uint64_t> Seconds,
                           bool Expected) {
    Arrivals Of;
    Of.begin(4);
    bool IsWorthwhile = true;
    for (uint64_t Each : Seconds)
      IsWorthwhile = Of.isWorthwhile(Each * Second);
    EXPECT_EQ(IsWorthwhile, Expected);
    TextBuffer<1400> Why;
    Of.explain(Why);
    return Why.c_str();
  }

  pid_t Gone = 0;

private:
  Rank Before;
  int Count = 0;
};

TEST_F(ArrivalsTest, LateRanksAreAwaitedAndNamed) {
  writeHere(2);
  writeLate(1);
  writeLate(3);
  testing::internal::CaptureStderr();
  after({5, 9, 500}, true);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "loopscope: rank 0 waits in MPI_Finalize for ranks 1, 3; loopscope "
            "watch says what they do\n");
  after({1, 700}, false);
}

TEST_F(ArrivalsTest, EndedRanksAreNamed) {
  writeHere(1);
  writeLate(2);
  write(3, [&](auto &H) { H.pid = Gone; });
  EXPECT_EQ(after({1}, false),
            "there is no merged file, because rank 3 has ended");
  write(2, [&](auto &H) {
    H.end_state = LOOPSCOPE_END_EXITED;
    ++H.start_realtime_ns;
  });
  EXPECT_EQ(after({1}, false),
            "there is no merged file, because ranks 2, 3 have ended");
  Process.Rank.Index = 1;
  writeHere(0);
  EXPECT_EQ(after({1}, false), ""); // rank 0 says it
}

TEST_F(ArrivalsTest, EarlierProcessesOfARankDontCount) {
  writeHere(1);
  writeHere(2);
  writeHere(3);
  write(3, [&](auto &H) {
    H.pid = Gone;
    --H.start_realtime_ns;
  });
  after({1, 20}, true);
}

TEST_F(ArrivalsTest, RanksWithoutAProfile) {
  constexpr const char *Silent =
      "there is no merged file, because ranks 2, 3 run without Loopscope, or "
      "didn't come to MPI_Finalize; LOOPSCOPE=keep=ranks merges nothing and "
      "doesn't wait";
  writeHere(1);
  after({1, 9}, true);
  EXPECT_EQ(after({1, 11}, false), Silent);
  setenv("MPI_LOCALNRANKS", "4", 1);
  after({1}, true);
  EXPECT_EQ(after({1, 3}, false), Silent);
}

TEST_F(ArrivalsTest, RanksThatMayNotComeAreAwaitedForAWhile) {
  constexpr const char *Vague =
      "there is no merged file, because not all ranks came to MPI_Finalize "
      "within 10 s of rank 0, or some run without Loopscope; "
      "LOOPSCOPE=keep=ranks merges nothing and doesn't wait";
  setenv("MPI_LOCALNRANKS", "4", 1);
  after({1, 9}, true); // the others may have folders of their own
  EXPECT_EQ(after({1, 11}, false), Vague);
  writeHere(1);
  writeHere(2);
  write(3, [](auto &H) { strcpy(H.options, "keep=ranks"); });
  after({1, 9}, true);
  EXPECT_EQ(after({1, 11}, false), Vague);
  write(3, [](auto &H) { // nothing is known of processes elsewhere
    strcpy(H.host, "elsewhere");
    ++H.start_realtime_ns;
  });
  EXPECT_EQ(after({1, 11}, false), Vague);
}
} // namespace
