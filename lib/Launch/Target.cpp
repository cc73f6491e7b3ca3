// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiler makes programs for, and the runtime for it.

#include "Launch/Target.h"

#include "Launch/Process.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {

/// Processors by the macro that compilers define for them, and by the number in
/// an object's header. Those without a runtime are here, too: a message names
/// them.
struct ProcessorRow {
  std::string_view Name;
  std::string_view Macro;
  unsigned Machine;
};
constexpr ProcessorRow Processors[] = {{"x86_64", "__x86_64__", 62},
                                       {"aarch64", "__aarch64__", 183},
                                       {"i386", "__i386__", 3},
                                       {"arm", "__arm__", 40},
                                       {"riscv", "__riscv", 243},
                                       {"ppc64", "__powerpc64__", 21},
                                       {"loongarch", "__loongarch__", 258}};

/// The command that asks LINE's compiler, or nvcc's host compiler; empty if
/// nvcc was given none.
std::vector<std::string> question(const CommandLine &Line) {
  std::vector<std::string> Words = Line.Launchers;
  if (Line.Kind == Family::Nvcc) {
    for (const Option &O : Line.Options)
      if (O.Name == "-ccbin")
        return {O.Value};
    return {};
  }
  Words.push_back(Line.Compiler);
  for (const Option &O : Line.Options)
    if ((O.Uses & Asked) != 0)
      for (std::size_t I = 0; I < O.Length; ++I)
        Words.push_back(Line.Args[O.Index + I]);
  return Words;
}

/// The size in a header of an archive's member, or nothing.
std::optional<std::size_t> memberSize(std::string_view Header) {
  std::size_t Size = 0;
  auto [End, Why] =
      std::from_chars(Header.data() + 48, Header.data() + 58, Size);
  return Why == std::errc() && Header.substr(58) == "`\n" ? std::optional(Size)
                                                          : std::nullopt;
}

} // namespace

Target targetOfMacros(std::string_view Macros) {
  auto Defines = [&](std::string_view Name) {
    return Macros.find(fmt::format("#define {} ", Name)) != Macros.npos;
  };
  Target Result;
  // musl defines no macro of its own, on purpose. __REDIR is its features.h's,
  // since version 1.2.
  if (!Defines("__GLIBC__"))
    Result.Library = Macros.find("#define __REDIR(x,y)") != Macros.npos
                         ? LibC::Musl
                         : LibC::Other;
  const auto *Found =
      std::ranges::find_if(Processors, Defines, &ProcessorRow::Macro);
  if (Found != std::end(Processors))
    Result.Processor = Found->Name;
  // Other data models of the same processors need their own objects.
  if (!Result.Processor.empty() && Defines("__ILP32__") &&
      (Defines("__x86_64__") || Defines("__aarch64__")))
    Result.Processor += "-ilp32";
  if (Defines("__AARCH64EB__"))
    Result.Processor += "-be";
  return Result;
}

bool canHaveRuntime(std::string_view Processor) {
  return Processor == "x86_64" || Processor == "aarch64";
}

Target askTarget(const CommandLine &Line, const std::string &Directory) {
  std::vector<std::string> Words = question(Line);
  if (Words.empty())
    return {};
  Words.insert(Words.end(),
               {"-E", "-dM", "-include", "features.h", "-x", "c", "/dev/null"});
  Result<Captured> Answer = capture(Words, Directory);
  if (!Answer || !Answer->End.good())
    return {};
  Target Result = targetOfMacros(Answer->Out);
  if (Line.Kind == Family::Nvcc)
    Result.Library = LibC::Glibc;
  return Result;
}

std::string processorOfArchive(const std::string &Path) {
  constexpr std::size_t HeaderSize = 60;
  std::ifstream Stream(Path, std::ios::binary);
  std::array<char, 8> Magic{};
  std::array<char, HeaderSize> Header{};
  std::array<unsigned char, 20> Elf{};
  if (!Stream.read(Magic.data(), Magic.size()) ||
      std::string_view(Magic.data(), Magic.size()) != "!<arch>\n")
    return "";
  while (Stream.read(Header.data(), Header.size())) {
    auto Size = memberSize({Header.data(), Header.size()});
    if (!Size)
      return "";
    // The list of symbols and that of long names come before objects.
    bool IsObject = Header[0] != '/' || (Header[1] >= '0' && Header[1] <= '9');
    if (IsObject) {
      Stream.read(reinterpret_cast<char *>(Elf.data()), Elf.size());
      constexpr std::string_view ElfMagic = "\x7f"
                                            "ELF";
      if (!std::equal(ElfMagic.begin(), ElfMagic.end(), Elf.begin()))
        return "";
      unsigned Machine = Elf[18] | Elf[19] << 8U;
      const auto *Found =
          std::ranges::find(Processors, Machine, &ProcessorRow::Machine);
      return !Stream || Found == std::end(Processors)
                 ? ""
                 : std::string(Found->Name);
    }
    Stream.seekg(static_cast<std::streamoff>(*Size + *Size % 2), std::ios::cur);
  }
  return "";
}

std::vector<std::string> runtimeFolders(const Parts &P,
                                        const std::string &Processor) {
  std::vector<std::string> Folders;
  if (const char *Given = std::getenv("LOOPSCOPE_RUNTIME_DIR");
      Given != nullptr && *Given != 0) {
    std::error_code Why; // a working directory that is gone
    fs::path Folder = fs::absolute(Given, Why);
    Folders.push_back((Folder / Processor).string());
    Folders.push_back(Folder.string());
  }
  Folders.push_back((fs::path(P.Runtimes) / Processor).string());
  Folders.push_back(P.Libraries);
  return Folders;
}

std::optional<Runtime> findRuntime(const Parts &P,
                                   const std::string &Processor) {
  std::error_code Why;
  for (const fs::path Folder : runtimeFolders(P, Processor)) {
    Runtime R;
    R.Library = (Folder / "libloopscope.a").string();
    // What the compiler is for isn't always known; an installation without its
    // archive is the linker's to report.
    bool Fits = Processor.empty() || processorOfArchive(R.Library) == Processor;
    if (!Fits || (Processor.empty() && !fs::exists(R.Library, Why) &&
                  Folder != P.Libraries))
      continue;
    R.OffLibrary = (Folder / "libloopscope-off.a").string();
    if (fs::path Mpi = Folder / "libloopscope-mpi.a"; fs::exists(Mpi, Why)) {
      R.MpiLibrary = Mpi.string();
      R.MpiLargeLibrary = (Folder / "libloopscope-mpi-large.a").string();
    }
    return R;
  }
  return std::nullopt;
}

} // namespace loopscope::launch
