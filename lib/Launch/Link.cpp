// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the runtime to links.

#include "Launch/Link.h"
#include "Support/Paths.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace loopscope::launch {
namespace {

/// Whether the link gets only libraries that are named.
bool leavesLibrariesOut(const CommandLine &Line) {
  return Line.has("-nostdlib") || Line.has("-nodefaultlibs") ||
         Line.has("-nolibc");
}

/// Whether O names the C library.
bool isLibC(const Option &O) {
  std::string_view File = O.Value;
  File.remove_prefix(File.find_last_of('/') + 1);
  return (O.Name == "-l" && File == "c") ||
         (O.Name.empty() && (File == "libc.a" || File.starts_with("libc.so")));
}

/// Whether WORD of a link is MPI's library.
bool isMpi(const std::string &Word) {
  if (Word == "-lmpi" || Word == "-lmpich")
    return true;
  std::string Name = Word.substr(Word.find_last_of('/') + 1);
  return (Name.starts_with("libmpi.") || Name.starts_with("libmpich.")) &&
         (Name.find(".so") != std::string::npos || Name.ends_with(".a"));
}

/// Whether WORD is part of the program itself, or an archive.
bool mayCall(const std::string &Word, const std::string &Directory) {
  static constexpr std::string_view Sources[] = {".c",   ".cc", ".cpp",
                                                 ".cxx", ".C",  ".cu"};
  return !Word.starts_with("-") &&
         (isObject(Word, Directory) ||
          std::ranges::any_of(Sources, [&](std::string_view Each) {
            return Word.ends_with(Each);
          }));
}

/// Puts the wrappers of MPI's functions before MPI's library and after their
/// callers; if that library isn't on the command (mpicc adds it), at the end.
/// If callers follow the library, no place is right: then all wrappers are
/// linked, except those of functions that the library may lack.
void addMpi(std::vector<std::string> &Command, const CommandLine &Line,
            const Runtime &R, const std::string &Directory) {
  auto Library = std::ranges::find_if(Command, isMpi);
  bool HasPlace = Library != Command.end() || !leavesLibrariesOut(Line);
  if (R.MpiLibrary.empty() || !HasPlace)
    return;
  bool TakesAll = std::any_of(Library, Command.end(), [&](const auto &Word) {
    return mayCall(Word, Directory) && !isMpi(Word);
  });
  std::vector<std::string> Words = {R.MpiLargeLibrary, R.MpiLibrary};
  if (TakesAll)
    Words = {"--whole-archive", R.MpiLibrary, "--no-whole-archive"};
  std::vector<std::string> Passed;
  for (const std::string &Each : Words)
    Passed.insert(Passed.end(), {"-Xlinker", Each});
  Command.insert(Library, Passed.begin(), Passed.end());
}

/// Whether WORD of a link is the library NAME, such as "nccl" for libnccl.so.2.
bool isLibrary(const std::string &Word, const std::string &Name) {
  std::string File = Word.substr(Word.find_last_of('/') + 1);
  if (File.starts_with("-l:"))
    File = File.substr(3);
  return Word.starts_with("-l" + Name) || File.starts_with("lib" + Name);
}

bool isTorch(const std::string &Word) { return isLibrary(Word, "torch"); }

/// Whether WORD of a link is NCCL, or a library that brings it in.
bool bringsNccl(const std::string &Word) {
  return isLibrary(Word, "nccl") || isTorch(Word);
}

/// Puts the runtime's wrappers in front of LibTorch's functions.
void addGlooWrappers(std::vector<std::string> &Command) {
  if (std::ranges::any_of(Command, isTorch))
    Command.insert(Command.end(), {"-Xlinker", "--undefined=loopscope_gloo"});
}

/// Lets NCCL find the runtime's plug-in in the program.
void exportNcclPlugin(std::vector<std::string> &Command) {
  if (std::ranges::none_of(Command, bringsNccl))
    return;
  for (const char *Symbol :
       {"ncclProfiler_v2", "ncclProfiler_v3", "ncclProfiler_v4",
        "ncclProfiler_v6", "ncclGetVersion"})
    Command.insert(
        Command.end(),
        {"-Xlinker", std::string("--export-dynamic-symbol=") + Symbol});
}

} // namespace

bool isObject(const std::string &Path, const std::string &Directory) {
  std::ifstream Stream(absoluteIn(Path, Directory), std::ios::binary);
  std::array<char, 8> Begin{};
  Stream.read(Begin.data(), Begin.size());
  std::string_view Text(Begin.data(),
                        static_cast<std::size_t>(Stream.gcount()));
  // The last two are LLVM's bitcode, bare and wrapped.
  static constexpr std::string_view Magic[] = {
      "\177ELF", "!<arch>\n", "!<thin>\n", "BC\xc0\xde", "\xde\xc0\x17\x0b"};
  return std::ranges::any_of(
      Magic, [&](std::string_view Each) { return Text.starts_with(Each); });
}

bool looksLikeLink(const CommandLine &Line, const std::string &Directory) {
  return std::ranges::any_of(Line.Options, [&](const Option &O) {
    return O.Name == "-o" || O.Name == "-l" ||
           (O.Name.empty() && isObject(O.Value, Directory));
  });
}

bool mayCallRuntime(const std::string &Path) {
  return readFile(Path).find("loopscope_") != std::string::npos;
}

bool linksHooks(const CommandLine &Line, const std::string &Directory) {
  // Each object with hooks defines it.
  return std::ranges::any_of(Line.Options, [&](const Option &O) {
    return O.Name.empty() && isObject(O.Value, Directory) &&
           readFile(absoluteIn(O.Value, Directory))
                   .find("__loopscope_tool_path") != std::string::npos;
  });
}

std::string whyNoRuntime(const CommandLine &Line, const Target &Made) {
  auto Names = [&](auto Matches) {
    return std::ranges::any_of(Line.Options, Matches);
  };
  bool Starts =
      (!Line.has("-nostdlib") && !Line.has("-nostartfiles")) ||
      Names([](const Option &O) {
        std::size_t Slash = O.Value.find_last_of('/') + 1;
        return O.Name.empty() && O.Value.substr(Slash).starts_with("crtbegin");
      });
  if (!Starts || (leavesLibrariesOut(Line) && !Names(isLibC)))
    return "without the C library or its start files";
  return Made.Library == LibC::Other
             ? "with a C library other than glibc and musl"
             : "";
}

std::vector<std::string> withRuntime(std::vector<std::string> Command,
                                     const CommandLine &Line, const Runtime &R,
                                     bool Whole, const std::string &Directory) {
  if (Line.Action != Mode::Link && Line.Action != Mode::Build)
    return Command;
  if (Whole) {
    addMpi(Command, Line, R, Directory);
    exportNcclPlugin(Command);
    addGlooWrappers(Command);
  }
  std::vector<std::string> Words;
  // Not an input of its own: -x would take it for a source, and with only one
  // input gcc names the notes of --coverage differently.
  if (Line.Kind != Family::Nvcc || Line.LanguageForced)
    Words.emplace_back("-Xlinker");
  Words.push_back(Whole ? R.Library : R.OffLibrary);
  if (Whole)
    Words.insert(Words.end(), {"-lpthread", "-ldl"});
  auto Place = Command.end();
  if (Whole && leavesLibrariesOut(Line)) {
    // Hooks in C name a function of the unwinder.
    Words.emplace_back("-lgcc");
    if (Line.has("-static") || Line.has("-static-pie"))
      Words.emplace_back("-lgcc_eh");
    else
      Words.insert(Words.end(), {"-Wl,--push-state,--as-needed", "-lgcc_s",
                                 "-Wl,--pop-state"});
    // Before the C library and before what may have to be last.
    auto Last = std::find(Command.rbegin(), Command.rend(), "-lc");
    if (Last != Command.rend())
      Place = Last.base() - 1;
  }
  Command.insert(Place, Words.begin(), Words.end());
  return Command;
}

} // namespace loopscope::launch
