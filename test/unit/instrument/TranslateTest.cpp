// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading real compilers' answers, and commands that can't be translated.

#include "Instrument/Parse/CompilerQuery.h"
#include "Instrument/Parse/Invocation.h"

#include <gtest/gtest.h>

using namespace loopscope;
using namespace loopscope::instrument;

namespace {

constexpr const char *Log = "Target: x86_64-linux-gnu\n"
                            "#include \"...\" search starts here:\n"
                            "#include <...> search starts here:\n"
                            " /usr/include/c++/12\n"
                            " /usr/lib/gcc/x86_64-linux-gnu/12/include\n"
                            " /usr/local/include\n"
                            " /usr/lib/gcc/x86_64-linux-gnu/12/include-fixed\n"
                            " /usr/include\n"
                            "End of search list.\n"
                            " /not/one\n";

TEST(CompilerFacts, KeepsTheDirectoryOfTheCompilersHeaders) {
  CompilerFacts Facts = parseCompilerFacts("", Log, true);
  EXPECT_EQ(Facts.Target, "x86_64-linux-gnu");
  EXPECT_EQ(Facts.SystemDirectories,
            (std::vector<std::string>{"/usr/include/c++/12",
                                      "/usr/local/include", "/usr/include"}));
  EXPECT_EQ(Facts.OwnPlace, 1U);
  EXPECT_EQ(Facts.OwnDirectories.size(), 2U);
}

TEST(CompilerFacts, ReadsTheDefaultDialect) {
  auto Standard = [](std::string_view Macros, bool CPlusPlus) {
    return parseCompilerFacts(Macros, "", CPlusPlus).Standard;
  };
  EXPECT_EQ(Standard("#define __cplusplus 201703L\n", true), "gnu++17");
  EXPECT_EQ(Standard("#define __cplusplus 199711L\n", true), "gnu++98");
  EXPECT_EQ(Standard("#define __cplusplus 202400L\n", true), "gnu++26");
  EXPECT_EQ(Standard("#define __STDC_VERSION__ 201710L\n", false), "gnu17");
  EXPECT_EQ(Standard("#define __STDC_VERSION__ 202311L\n", false), "gnu23");
  EXPECT_EQ(Standard("#define __STRICT_ANSI__ 1\n", false), "c90");
  EXPECT_EQ(Standard("", true), "");
}

TEST(CudaFacts, ReadsADryRun) {
  CudaFacts Facts = parseCudaFacts(
      "#$ TOP=/opt/cuda/bin/..\n"
      "#$ INCLUDES=\"-I/opt/cuda/bin/../targets/x/include\"  \n"
      "#$ SYSTEM_INCLUDES=\"-isystem\" \"/opt/cuda/include/cccl\"\n"
      "#$ gcc -D__CUDACC_VER_MAJOR__=13 -D__CUDACC_VER_MINOR__=0 -E\n");
  EXPECT_EQ(Facts.Root, "/opt/cuda");
  EXPECT_EQ(Facts.Directories,
            (std::vector<std::string>{"/opt/cuda/targets/x/include",
                                      "/opt/cuda/include/cccl"}));
  EXPECT_EQ(Facts.MajorVersion, "13");
  EXPECT_EQ(Facts.MinorVersion, "0");
}

std::string whyNot(const std::vector<std::string> &Command) {
  auto All = translateCommand(Command, "/", "/resources");
  return All ? "" : All.error().Message;
}

TEST(Invocation, SaysWhyACommandCannotBeTranslated) {
  EXPECT_EQ(whyNot({}), "the compiler command is empty");
  EXPECT_NE(whyNot({"rustc", "a.c"}).find("'rustc' is not a compiler"),
            std::string::npos);
  EXPECT_NE(whyNot({"gcc", "a.o"}).find("names no C, C++ or CUDA source"),
            std::string::npos);
  EXPECT_NE(whyNot({"/none/gcc", "-c", "a.c"}).find("cannot run '/none/gcc'"),
            std::string::npos);
}

/// The translation, as text, of gcc FLAGS -c a.c.
std::string translated(const std::vector<std::string> &Flags) {
  std::vector<std::string> Command = {"gcc"};
  Command.insert(Command.end(), Flags.begin(), Flags.end());
  Command.insert(Command.end(), {"-c", "a.c"});
  auto All = translateCommand(Command, "/", "/resources");
  if (!All)
    return All.error().Message;
  std::string Text;
  for (const std::string &Word : All->at(0).Command)
    Text += Word + " ";
  return Text;
}

TEST(Invocation, KeepsOptionsThatChangeTheMeaning) {
  if (!whyNot({"gcc", "-c", "a.c"}).empty())
    GTEST_SKIP() << "no gcc";
  std::string Text = translated({"-std=c99",
                                 "-DX=1",
                                 "-Wp,-DY",
                                 "-fopenmp",
                                 "-mavx2",
                                 "-Werror",
                                 "-fipa-pta",
                                 "-MD",
                                 "-MF",
                                 "a.d",
                                 "-o",
                                 "a.o",
                                 "-include",
                                 "b.h",
                                 "-flto",
                                 "-fplugin=x.so",
                                 "-I",
                                 ".",
                                 "-ftemplate-depth=2000",
                                 "-fconstexpr-ops-limit=77"});
  for (const char *Kept :
       {"-std=c99 ", "-D X=1 ", "-D Y ", "-fopenmp ", "-mavx2 ",
        "-Xclang -include -Xclang b.h ", "-I ./. ", "-ftemplate-depth=2000 ",
        "-fconstexpr-steps=77 ", "-resource-dir /resources ",
        "-internal-isystem -Xclang /resources/include ", "-x c a.c "})
    EXPECT_NE(Text.find(Kept), std::string::npos) << Kept << "in " << Text;
  for (const char *Dropped :
       {"-Werror", "-fipa-pta", "-MD", "a.d", "a.o", "-flto", "plugin"})
    EXPECT_EQ(Text.find(Dropped), std::string::npos) << Dropped << Text;
}

} // namespace
