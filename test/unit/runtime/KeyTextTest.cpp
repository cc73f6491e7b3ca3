// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of keys against a slow comparison, at every place within a word, the
// last ones right before memory that can't be read.

#include "tree/key_text.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace loopscope::runtime;

namespace {
/// A KeyText with the memory behind it.
class Known {
public:
  explicit Known(const std::string &Text)
      : Memory(sizeof(KeyText) + Text.size() + KeyText::Behind, 'x') {
    setText(*new (Memory.data()) KeyText, Text.data(), Text.size());
  }
  const KeyText &text() const {
    return *reinterpret_cast<const KeyText *>(Memory.data());
  }

private:
  std::vector<char> Memory;
};

/// Two pages, of which the second can't be read.
class Edge {
public:
  Edge() : Page(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    void *Both = mmap(nullptr, 2 * Page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    First = static_cast<char *>(Both);
    mprotect(First + Page, Page, PROT_NONE);
  }
  Edge(const Edge &) = delete;
  Edge &operator=(const Edge &) = delete;
  ~Edge() { munmap(First, 2 * Page); }

  /// SIZE bytes of DATA, FROM_END bytes before what can't be read, among others
  /// than NUL.
  const char *place(const char *Data, size_t Size, size_t FromEnd) {
    memset(First, 'q', Page);
    char *At = First + Page - FromEnd - Size;
    memcpy(At, Data, Size);
    return At;
  }

private:
  size_t Page;
  char *First;
};

/// Of up to 20 letters, few of them different, sometimes a NUL.
std::string randomText(std::mt19937 &Random) {
  std::string Result(Random() % 21, 'a');
  for (char &Each : Result)
    Each = Random() % 4 == 0 ? 'b' : 'a';
  if (Random() % 4 == 0 && !Result.empty())
    Result[Random() % Result.size()] = 0;
  return Result;
}

/// The same with a small change, perhaps.
std::string changed(std::string Text, std::mt19937 &Random) {
  switch (Random() % 5) {
  case 0:
    Text += 'a';
    break;
  case 1:
    if (!Text.empty())
      Text.pop_back();
    break;
  case 2:
    if (!Text.empty())
      Text[Random() % Text.size()] ^= 3;
    break;
  default:
    break;
  }
  return Text;
}
} // namespace

TEST(KeyText, EqualsSlowComparison) {
  // NOLINTNEXTLINE(bugprone-random-generator-seed): the same cases each time.
  std::mt19937 Random(7);
  Edge Behind;
  unsigned Equal = 0;
  for (int I = 0; I < 200000; ++I) {
    std::string Text = randomText(Random);
    std::string Other = changed(Text, Random);
    Known Of(Text);
    SCOPED_TRACE(testing::PrintToString(Text) + " " +
                 testing::PrintToString(Other));

    // With its length, which may end at the edge.
    const char *At = Behind.place(Other.data(), Other.size(), Random() % 9);
    bool Is = Text == Other;
    ASSERT_EQ(isText(Of.text(), At, Other.size()), Is);
    ASSERT_EQ(isShortText(Of.text(), At, Other.size()),
              Is && Text.size() <= 16);

    // With a NUL at its end, which may be the last byte before the edge.
    At = Behind.place(Other.data(), Other.size() + 1, Random() % 9);
    Is = Text == Other.substr(0, Other.find('\0'));
    ASSERT_EQ(isText(Of.text(), At, UntilNul), Is);
    ASSERT_EQ(isShortText(Of.text(), At), Is && Text.size() < 8);
    Equal += Is ? 1 : 0;
  }
  EXPECT_GT(Equal, 50000U);
}
