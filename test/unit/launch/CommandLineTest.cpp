// Reading real compilers' command lines.
#include "Launch/CommandLine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace loopscope::launch;

namespace {

CommandLine parse(const std::vector<std::string> &Command) {
  return parseCommandLine(Command, "/work");
}

TEST(CommandLine, KnowsCompilersByName) {
  EXPECT_EQ(compilerFamily("gcc"), Family::Gcc);
  EXPECT_EQ(compilerFamily("/usr/bin/g++-12"), Family::Gcc);
  EXPECT_EQ(compilerFamily("x86_64-linux-gnu-g++"), Family::Gcc);
  EXPECT_EQ(compilerFamily("aarch64-linux-gnu-gcc-12.2"), Family::Gcc);
  EXPECT_EQ(compilerFamily("/usr/lib/llvm-22/bin/clang++"), Family::Clang);
  EXPECT_EQ(compilerFamily("clang-22"), Family::Clang);
  EXPECT_EQ(compilerFamily("/usr/local/cuda/bin/nvcc"), Family::Nvcc);
  EXPECT_EQ(compilerFamily("mpicxx"), Family::Gcc);
  EXPECT_EQ(compilerFamily("gcc-ar"), Family::Unknown);
  EXPECT_EQ(compilerFamily("ld"), Family::Unknown);
  EXPECT_EQ(compilerFamily(""), Family::Unknown);
}

TEST(CommandLine, SplitsLaunchersFromCompiler) {
  CommandLine L = parse({"/usr/bin/ccache", "distcc", "g++", "-c", "a.cpp"});
  EXPECT_EQ(L.Launchers,
            (std::vector<std::string>{"/usr/bin/ccache", "distcc"}));
  EXPECT_EQ(L.Compiler, "g++");
  EXPECT_EQ(L.Args, (std::vector<std::string>{"-c", "a.cpp"}));
}

TEST(CommandLine, ReadsACompile) {
  CommandLine L = parse({"g++", "-O2", "-Iinc", "-I", "inc2", "-DX=1", "-MMD",
                         "-MF", "a.d", "-c", "a.cpp", "-o", "out/a.o"});
  EXPECT_EQ(L.Action, Mode::Compile);
  ASSERT_EQ(L.Sources.size(), 1U);
  EXPECT_EQ(L.Sources[0].Path, "a.cpp");
  EXPECT_EQ(L.Sources[0].Index, 9U);
  EXPECT_EQ(L.Sources[0].Language, "c++");
  EXPECT_EQ(L.Output, "out/a.o");
  EXPECT_TRUE(L.WritesDepfile);
  EXPECT_EQ(L.Depfile, "a.d");
  EXPECT_EQ(L.lastValue("-I"), "inc2");
  EXPECT_FALSE(L.lastValue("-L"));
}

TEST(CommandLine, KnowsWhatToLeaveAlone) {
  EXPECT_EQ(parse({"gcc", "-E", "a.c"}).Action, Mode::Other);
  EXPECT_EQ(parse({"gcc", "-M", "a.c"}).Action, Mode::Other);
  EXPECT_EQ(parse({"gcc", "--version"}).Action, Mode::Other);
  EXPECT_EQ(parse({"gcc", "-v"}).Action, Mode::Other);
  EXPECT_EQ(parse({"gcc", "-fsyntax-only", "a.c"}).Action, Mode::Other);
  EXPECT_EQ(parse({"gcc", "-x", "c", "-", "-o", "a"}).Action, Mode::Other);
  EXPECT_EQ(parse({"gcc", "-print-search-dirs"}).Action, Mode::Other);
  EXPECT_EQ(parse({"gcc", "-r", "a.o", "-o", "b.o"}).Action, Mode::Other);
  EXPECT_EQ(parse({"gcc", "-c", "a.S"}).Action, Mode::Other);
  EXPECT_EQ(parse({"nvcc", "-ptx", "a.cu"}).Action, Mode::Other);
  EXPECT_EQ(parse({"nvcc", "--device-link", "a.o"}).Action, Mode::Other);
  EXPECT_EQ(parse({"tool", "-c", "a.c"}).Action, Mode::Other);
  EXPECT_EQ(parse({"ccache"}).Action, Mode::Other);
  EXPECT_EQ(parse({}).Action, Mode::Other);
}

TEST(CommandLine, TellsBuildsFromLinks) {
  EXPECT_EQ(parse({"gcc", "a.c", "b.o"}).Action, Mode::Build);
  EXPECT_EQ(parse({"gcc", "a.o", "-lm"}).Action, Mode::Link);
  EXPECT_EQ(parse({"g++", "-shared", "a.o", "-o", "a.so"}).Action, Mode::Link);
  EXPECT_EQ(parse({"gcc", "-S", "a.c"}).Action, Mode::Compile);
  EXPECT_EQ(parse({"nvcc", "-dc", "a.cu"}).Action, Mode::Compile);
}

TEST(CommandLine, TakesLanguagesFromDriverNameAndX) {
  EXPECT_EQ(parse({"g++", "-c", "a.c"}).Sources[0].Language, "c++");
  EXPECT_EQ(parse({"gcc", "-c", "a.c"}).Sources[0].Language, "c");
  EXPECT_EQ(parse({"gcc", "-c", "a.C"}).Sources[0].Language, "c++");
  EXPECT_EQ(parse({"clang++", "-c", "a.cu"}).Sources[0].Language, "cuda");
  EXPECT_EQ(parse({"nvcc", "-x", "cu", "-c", "a.cpp"}).Sources[0].Language,
            "cuda");
  EXPECT_EQ(parse({"g++", "a.h"}).Sources[0].Language, "c++-header");
  CommandLine L = parse({"gcc", "-xc", "a.txt", "-x", "none", "b.o"});
  EXPECT_EQ(L.Sources.size(), 1U);
  EXPECT_FALSE(L.LanguageForced);
  EXPECT_TRUE(parse({"gcc", "-xc", "a.txt"}).LanguageForced);
}

TEST(CommandLine, OptionsTakeTheirValues) {
  // None of the values may be taken for a source.
  CommandLine L =
      parse({"gcc", "-include", "p.c", "-MT", "t.c", "-Xlinker", "l.c",
             "-isystem", "s.c", "--param", "q.c", "-c", "a.c"});
  ASSERT_EQ(L.Sources.size(), 1U);
  EXPECT_EQ(L.Sources[0].Path, "a.c");
  CommandLine N =
      parse({"nvcc", "--compiler-options", "x.c", "-gencode=a.c",
             "--output-file=o.o", "-std", "c++17", "-lineinfo", "-c", "a.cu"});
  ASSERT_EQ(N.Sources.size(), 1U);
  EXPECT_EQ(N.Output, "o.o");
  EXPECT_EQ(N.lastValue("-Xcompiler"), "x.c");
  EXPECT_EQ(N.lastValue("-std"), "c++17");
  EXPECT_FALSE(N.lastValue("-l"));
}

TEST(CommandLine, FindsTheDepfileOfWp) {
  CommandLine L = parse({"gcc", "-Wp,-MMD,x/a.d", "-c", "a.c"});
  EXPECT_TRUE(L.WritesDepfile);
  EXPECT_EQ(L.Depfile, "x/a.d");
}

TEST(CommandLine, SplitsResponseText) {
  EXPECT_EQ(
      splitResponseText("a  b\n'c d' \"e'f\" g\\ h \\\"i \"\""),
      (std::vector<std::string>{"a", "b", "c d", "e'f", "g h", "\"i", ""}));
  EXPECT_TRUE(splitResponseText(" \n").empty());
}

TEST(CommandLine, ExpandsResponseFilesButNotForEver) {
  std::filesystem::path Directory =
      std::filesystem::path(testing::TempDir()) / "loopscope-response";
  std::filesystem::create_directories(Directory);
  std::ofstream(Directory / "a.rsp") << "-DA 'b c.c' @none.rsp";
  std::ofstream(Directory / "self.rsp") << "-DS @self.rsp";
  CommandLine L = parseCommandLine({"gcc", "@a.rsp", "-c"}, Directory.string());
  EXPECT_EQ(L.Args,
            (std::vector<std::string>{"-DA", "b c.c", "@none.rsp", "-c"}));
  EXPECT_FALSE(
      parseCommandLine({"gcc", "@self.rsp"}, Directory.string()).Args.empty());
  CommandLine N = parseCommandLine({"nvcc", "--options-file", "a.rsp", "-c"},
                                   Directory.string());
  EXPECT_EQ(N.Args.size(), 4U);
  std::filesystem::remove_all(Directory);
}

} // namespace
