// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses real compilers' command lines.

#include "Launch/CommandLine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace loopscope::launch;

namespace {

CommandLine parse(const std::vector<std::string> &Command) {
  return parseCommandLine(Command, "/work");
}

Family family(const char *Program) { return compilerByName(Program).Kind; }

TEST(Compiler, IsKnownByName) {
  EXPECT_EQ(family("gcc"), Family::Gcc);
  EXPECT_EQ(family("/usr/bin/g++-12"), Family::Gcc);
  EXPECT_EQ(family("x86_64-linux-gnu-g++"), Family::Gcc);
  EXPECT_EQ(family("aarch64-linux-gnu-gcc-12.2"), Family::Gcc);
  EXPECT_EQ(family("/usr/lib/llvm-22/bin/clang++"), Family::Clang);
  EXPECT_EQ(family("clang-22"), Family::Clang);
  EXPECT_EQ(family("/usr/local/cuda/bin/nvcc"), Family::Nvcc);
  EXPECT_EQ(family("gcc-ar"), Family::Unknown);
  EXPECT_EQ(family("ld"), Family::Unknown);
  EXPECT_EQ(family(""), Family::Unknown);
  // May be gcc's or clang's.
  EXPECT_EQ(family("mpicxx"), Family::Unknown);
  EXPECT_TRUE(compilerByName("clang++-22").CPlusPlus);
  EXPECT_FALSE(compilerByName("gcc").CPlusPlus);
}

TEST(Compiler, LinkIsKnownByItsTarget) {
  namespace fs = std::filesystem;
  fs::path Directory = fs::path(testing::TempDir()) / "loopscope-links";
  fs::remove_all(Directory);
  fs::create_directories(Directory);
  auto Make = [&](const char *Name) {
    std::ofstream(Directory / Name) << "#!/bin/sh\n";
    fs::permissions(Directory / Name, fs::perms::owner_all);
  };
  Make("x86_64-linux-gnu-g++-12");
  Make("clang");
  Make("cc");
  fs::create_symlink("x86_64-linux-gnu-g++-12", Directory / "alternative");
  fs::create_symlink("alternative", Directory / "c++");
  fs::create_symlink("clang", Directory / "c99");
  EXPECT_EQ(family((Directory / "c++").c_str()), Family::Gcc);
  EXPECT_TRUE(compilerByName((Directory / "c++").c_str()).CPlusPlus);
  EXPECT_EQ(family((Directory / "c99").c_str()), Family::Clang);
  EXPECT_EQ(family((Directory / "cc").c_str()), Family::Unknown);
  EXPECT_EQ(family((Directory / "none" / "c++").c_str()), Family::Unknown);
  fs::remove_all(Directory);
}

TEST(Compiler, MayFollowRunnersAndLaunchers) {
  auto Parts = [](const std::vector<std::string> &Command) {
    CommandParts P = partsOf(Command);
    return std::vector<std::size_t>{P.Launcher, P.Compiler, P.Strange};
  };
  using Numbers = std::vector<std::size_t>;
  EXPECT_EQ(Parts({"g++", "-c"}), (Numbers{0, 0, 0}));
  EXPECT_EQ(Parts({"env", "A=1", "-u", "B", "wrapped", "-c"}),
            (Numbers{4, 4, 0}));
  EXPECT_EQ(Parts({"nice", "-n", "5", "ccache", "g++", "-c"}),
            (Numbers{3, 4, 0}));
  EXPECT_EQ(Parts({"env", "A=1", "nice", "g++"}), (Numbers{3, 3, 0}));
  EXPECT_EQ(Parts({"ccache", "compiler_check=none", "tool", "-c"}),
            (Numbers{0, 2, 0}));
  EXPECT_EQ(Parts({"shiny", "g++", "-c"}), (Numbers{0, 1, 1}));
  EXPECT_EQ(Parts({"nice", "make"}), (Numbers{0, 0, 0}));
  EXPECT_EQ(Parts({"env", "A=1"}), (Numbers{0, 0, 0}));
  EXPECT_EQ(Parts({"ccache"}), (Numbers{0, 1, 0}));
  EXPECT_EQ(Parts({}), (Numbers{0, 0, 0}));
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

TEST(CommandLine, LeavesOtherCommandsAlone) {
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
  EXPECT_EQ(parse({"ccache"}).Action, Mode::Other);
  EXPECT_EQ(parse({}).Action, Mode::Other);
}

TEST(CommandLine, ReadsAnUnknownCompilerAsGccUntilItIsKnown) {
  CommandLine L = parse({"tool", "-c", "a.c"});
  EXPECT_EQ(L.Kind, Family::Unknown);
  EXPECT_EQ(L.Action, Mode::Compile);
  EXPECT_EQ(L.Sources[0].Language, "c");
  L = parseCommandLine({"tool", "-c", "a.c"}, "/work", {Family::Clang, true});
  EXPECT_EQ(L.Kind, Family::Clang);
  EXPECT_EQ(L.Sources[0].Language, "c++");
  // If the name tells, no query is needed.
  L = parseCommandLine({"gcc", "-c", "a.c"}, "/work", {Family::Nvcc, true});
  EXPECT_EQ(L.Kind, Family::Gcc);
}

TEST(CommandLine, KnowsSourcesThatCannotBeRewritten) {
  auto Opaque = [](const std::vector<std::string> &Command) {
    std::string Text;
    for (const OpaqueInput &Each : parse(Command).Opaque)
      Text += Each.Path + ":" + Each.What + ";";
    return Text;
  };
  EXPECT_EQ(Opaque({"g++", "-c", "a.ii"}), "a.ii:a preprocessed file;");
  EXPECT_EQ(Opaque({"g++", "-x", "c++-cpp-output", "a.txt"}),
            "a.txt:a preprocessed file;");
  EXPECT_EQ(Opaque({"g++", "-x", "c++", "-"}), "-:standard input;");
  EXPECT_EQ(Opaque({"clang++", "-c", "a.cppm"}), "a.cppm:a module;");
  EXPECT_EQ(Opaque({"g++", "a.o", "a.s", "b.cpp"}), "");
}

TEST(CommandLine, ClassifiesOptionsForTheParse) {
  auto Uses = [](const std::string &Word, const char *Compiler = "g++") {
    return parse({Compiler, Word, "-c", "a.cpp"}).Options.front().Uses;
  };
  EXPECT_EQ(Uses("-fno-exceptions"), Kept);
  EXPECT_EQ(Uses("-fcoroutines"), Kept);
  EXPECT_EQ(Uses("-mno-avx2"), Kept);
  EXPECT_EQ(Uses("-isysroot/x"), Asked);
  EXPECT_EQ(Uses("-O2"), Translated);
  EXPECT_EQ(Uses("-fsanitize=thread"), Translated);
  for (const char *Word :
       {"-Wfrobnicate", "-ggdb3", "-fno-ipa-sra", "-fsanitize-recover=all",
        "-flto=4", "-mtune=native", "-fno-plt", "-S", "-save-temps=obj"})
    EXPECT_EQ(Uses(Word), 0U) << Word;
  for (const char *Word : {"-ffrobnicate", "-mfrobnicate=1", "-fpermissive",
                           "--frobnicate", "-frobnicate"})
    EXPECT_EQ(Uses(Word), Unknown) << Word;
  EXPECT_EQ(Uses("-use_fast_math", "nvcc"), 0U);
  EXPECT_EQ(Uses("-noeh", "nvcc"), Kept);
  EXPECT_EQ(Uses("--frobnicate", "nvcc"), Unknown);
}

TEST(CommandLine, KnowsWhichNvccOptionsTakeAValue) {
  CommandLine L = parse({"nvcc", "-G", "-c", "-opt-info", "inline",
                         "--jump-table-density", "3", "a.cu"});
  EXPECT_EQ(L.Action, Mode::Compile);
  ASSERT_EQ(L.Sources.size(), 1U);
  EXPECT_EQ(L.Options.size(), 5U);
}

TEST(CommandLine, RemovesTheSeparator) {
  CommandLine L = parse({"clang++", "-O2", "--", "a.cpp", "b.o"});
  EXPECT_TRUE(L.Separated);
  ASSERT_EQ(L.Sources.size(), 1U);
  EXPECT_EQ(L.words(),
            (std::vector<std::string>{"clang++", "-O2", "a.cpp", "b.o"}));
}

TEST(CommandLine, ReadsNvccsVariables) {
  setenv("NVCC_PREPEND_FLAGS", "-DA -I \"/x y\"", 1);
  setenv("NVCC_APPEND_FLAGS", "-DB=\"q r\"  -c", 1);
  CommandLine L = parse({"nvcc", "a.cu", "-DC"});
  unsetenv("NVCC_PREPEND_FLAGS");
  unsetenv("NVCC_APPEND_FLAGS");
  EXPECT_EQ(L.Args, (std::vector<std::string>{"-DA", "-I", "/x y", "a.cu",
                                              "-DC", "-DB=\"q r\"", "-c"}));
  EXPECT_EQ(L.Action, Mode::Compile);
  // nvcc adds its own options again.
  EXPECT_EQ(L.words(), (std::vector<std::string>{"nvcc", "a.cu", "-DC"}));
}

TEST(CommandLine, DistinguishesBuildsFromLinks) {
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
  // None of the values must be taken for a source.
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

TEST(CommandLine, ExpandsResponseFilesToALimitedDepth) {
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
  std::ofstream(Directory / "b.rsp") << "-DB='8' \"-DC\"";
  CommandLine N = parseCommandLine(
      {"nvcc", "--options-file", "a.rsp,b.rsp", "-c"}, Directory.string());
  EXPECT_EQ(N.Args, (std::vector<std::string>{"-DA", "'b", "c.c'", "@none.rsp",
                                              "-DB='8'", "-DC", "-c"}));
  // nvcc doesn't support @FILE.
  N = parseCommandLine({"nvcc", "@a.rsp"}, Directory.string());
  EXPECT_EQ(N.Args, (std::vector<std::string>{"@a.rsp"}));
  std::filesystem::remove_all(Directory);
}

} // namespace
