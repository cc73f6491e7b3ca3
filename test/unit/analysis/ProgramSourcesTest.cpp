// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program's list of sources, in every state that it and the files can be in;
// and lists that are damaged.
#include "Analysis/Samples/ProgramSources.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
// An ELF file with LIST in the section for it, and nothing else.
std::string elfWith(const std::string &List) {
  const std::string Names = std::string(1, '\0') +
                            std::string(CompiledSourcesSection) + '\0' + ".n" +
                            '\0';
  std::array<Elf64_Shdr, 3> Sections{};
  Elf64_Ehdr Header{};
  std::memcpy(Header.e_ident, ELFMAG, SELFMAG);
  Header.e_ident[EI_CLASS] = ELFCLASS64;
  Header.e_ident[EI_DATA] = ELFDATA2LSB;
  Header.e_ident[EI_VERSION] = Header.e_version = EV_CURRENT;
  Header.e_ehsize = sizeof(Header);
  Header.e_shoff = sizeof(Header);
  Header.e_shentsize = sizeof(Elf64_Shdr);
  Header.e_shnum = Sections.size();
  Header.e_shstrndx = 2;
  Sections[1].sh_name = 1;
  Sections[1].sh_type = SHT_PROGBITS;
  Sections[1].sh_offset = sizeof(Header) + sizeof(Sections);
  Sections[1].sh_size = List.size();
  Sections[2].sh_name =
      static_cast<uint32_t>(CompiledSourcesSection.size() + 2);
  Sections[2].sh_type = SHT_STRTAB;
  Sections[2].sh_offset = Sections[1].sh_offset + List.size();
  Sections[2].sh_size = Names.size();
  return std::string(reinterpret_cast<const char *>(&Header), sizeof(Header)) +
         std::string(reinterpret_cast<const char *>(Sections.data()),
                     sizeof(Sections)) +
         List + Names;
}

class ProgramSourcesTest : public testing::Test {
protected:
  void SetUp() override {
    char Name[] = "/tmp/loopscope-sources-XXXXXX";
    ASSERT_NE(mkdtemp(Name), nullptr);
    Folder = Name;
    fs::create_directory(Folder / "src");
    Of.Program = (Folder / "train").string();
    Of.StartRealtimeNs = int64_t{4'000'000'000} * 1'000'000'000; // after all
  }
  void TearDown() override { fs::remove_all(Folder); }

  void write(const std::string &Name, const std::string &Text) const {
    std::ofstream(Folder / Name, std::ios::binary) << Text;
  }
  void writeProgram(const std::string &List) const {
    write("train", elfWith(List));
  }

  // What the list says of a file that is compiled in the folder as NAME.
  std::string listed(const std::string &Name, const std::string &Text) const {
    return textOf({Name, Folder.string(), hashOf(Text)});
  }
  TextState stateOf(const std::string &Name) const {
    ProgramSources By(Of, {});
    std::string Path = By.pathOf(Name);
    return checkedText(Path, By.hashesAt(Path), By.state()).State;
  }

  fs::path Folder;
  loopscope::Run Of;
};

TEST(CompiledSource, TheHashIsFnv) {
  EXPECT_EQ(hashOf(""), 0xcbf29ce484222325U);
  EXPECT_EQ(hashOf("a"), 0xaf63dc4c8601ec8cU);
  EXPECT_EQ(hashOf("foobar"), 0x85944171f73967e8U);
}

TEST_F(ProgramSourcesTest, EveryState) {
  write("src/a.cpp", "a\r\n");
  write("src/b.cpp", "b");
  write("src/empty.cpp", "");
  write("src/lines.cpp", "int a;\n  # line 7\n");
  write("src/hash.cpp", "x # line 7\n#lines\n# include <a>\n");
  write("src/gen.cpp", "# 12 \"gen.y\"\n");
  EXPECT_EQ(stateOf("src/a.cpp"), TextState::Unplaced);
  std::string Path = (Folder / "src/a.cpp").string();
  EXPECT_EQ(stateOf(Path), TextState::NoProgram);
  writeProgram("");
  EXPECT_EQ(stateOf(Path), TextState::Silent);
  std::string All = listed("src/a.cpp", "a\r\n");
  for (const auto &[Name, Text] :
       {std::pair("src/empty.cpp", ""), std::pair("./src/../src/none.cpp", "x"),
        std::pair("src/lines.cpp", "int a;\n  # line 7\n"),
        std::pair("src/hash.cpp", "x # line 7\n#lines\n# include <a>\n"),
        std::pair("src/gen.cpp", "# 12 \"gen.y\"\n")})
    All += std::string(CompiledSourcesSeparator) + listed(Name, Text);
  writeProgram(All);
  EXPECT_EQ(stateOf("src/a.cpp"), TextState::Compiled);
  EXPECT_EQ(stateOf(Path), TextState::Compiled);
  EXPECT_EQ(stateOf("src/empty.cpp"), TextState::Compiled);
  EXPECT_EQ(stateOf((Folder / "src/b.cpp").string()), TextState::Unlisted);
  EXPECT_EQ(stateOf("src/none.cpp"), TextState::Missing);
  EXPECT_EQ(stateOf("src/lines.cpp"), TextState::Renumbered);
  EXPECT_EQ(stateOf("src/gen.cpp"), TextState::Renumbered);
  EXPECT_EQ(stateOf("src/hash.cpp"), TextState::Compiled);
  write("src/a.cpp", "a\n");
  EXPECT_EQ(stateOf("src/a.cpp"), TextState::Changed);
  write("src/a.cpp", "");
  EXPECT_EQ(stateOf("src/a.cpp"), TextState::Changed);
  fs::remove(Folder / "src/a.cpp");
  fs::create_directory(Folder / "src/a.cpp");
  EXPECT_EQ(stateOf("src/a.cpp"), TextState::Missing);
}

TEST_F(ProgramSourcesTest, ObjectsOfSeveralTexts) {
  write("src/a.cpp", "new");
  writeProgram(listed("src/a.cpp", "old") + '\0' + listed("src/a.cpp", "new") +
               '\0');
  EXPECT_EQ(stateOf("src/a.cpp"), TextState::Changed);
}

TEST_F(ProgramSourcesTest, AnotherProgramThanRan) {
  write("src/a.cpp", "a");
  writeProgram(listed("src/a.cpp", "a"));
  Of.StartRealtimeNs = 1'000'000'000;
  EXPECT_EQ(stateOf("src/a.cpp"), TextState::Rebuilt);
  // This file has no build id, so it isn't the one that samples know.
  Of.StartRealtimeNs = int64_t{4'000'000'000} * 1'000'000'000;
  Of.Stacks.Objects.push_back({Of.Program, "ab12", 0});
  EXPECT_EQ(stateOf("src/a.cpp"), TextState::Rebuilt);
  Of.Stacks.Objects.back().BuildId.clear();
  EXPECT_EQ(stateOf("src/a.cpp"), TextState::Compiled);
}

// No damage makes a list dangerous, or a text the compiled one that isn't.
TEST_F(ProgramSourcesTest, DamagedLists) {
  write("src/a.cpp", "a");
  std::string Whole =
      elfWith(listed("src/a.cpp", "a") + std::string(CompiledSourcesSeparator) +
              listed("src/b.cpp", "b"));
  std::mt19937 Chance(1);
  size_t Compiled = 0;
  for (int I = 0; I < 500; ++I) {
    std::string Damaged = Whole;
    for (int J = 0; J < 1 + I % 4; ++J)
      Damaged[Chance() % Damaged.size()] = static_cast<char>(Chance());
    if (I % 7 == 0)
      Damaged.resize(Chance() % Damaged.size());
    write("train", Damaged);
    ProgramSources By(Of, {});
    std::string Path = By.pathOf("src/a.cpp");
    CheckedText Found = checkedText(Path, By.hashesAt(Path), By.state());
    Compiled += Found.State == TextState::Compiled ? 1 : 0;
    EXPECT_TRUE(Found.State != TextState::Compiled || Found.Text == "a");
  }
  EXPECT_GT(Compiled, 20U);
  EXPECT_LT(Compiled, 480U);
}

TEST(CompiledSource, ReadsWhatItWrites) {
  std::mt19937 Chance(2);
  for (int I = 0; I < 1000; ++I) {
    CompiledSource Of{std::string(Chance() % 9, static_cast<char>(Chance())),
                      std::string(Chance() % 9, ' '), Chance()};
    std::optional<CompiledSource> Read = readCompiledSource(textOf(Of));
    ASSERT_TRUE(Read);
    EXPECT_EQ(Read->Name, Of.Name);
    EXPECT_EQ(Read->Directory, Of.Directory);
    EXPECT_EQ(Read->Hash, Of.Hash);
  }
  for (const char *Bad :
       {"", " ", "12", "12 3", "12 3 /a", "zz 1 / a", "12 -1 / a",
        "12 99999999999999999999 / a", "12 2 /ab"})
    EXPECT_FALSE(readCompiledSource(Bad)) << Bad;
}
} // namespace
