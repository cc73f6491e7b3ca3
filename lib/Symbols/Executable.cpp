// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program headers of ELF files, and the first line of scripts.

#include "Symbols/Executable.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <string_view>

using namespace loopscope;

namespace {
// Longer ones aren't read.
constexpr size_t MostBytes = 4096;

// SIZE bytes of the file at OFFSET; fewer at its end.
std::string readAt(std::ifstream &From, uint64_t Offset, size_t Size) {
  std::string Result(Size, '\0');
  From.clear();
  From.seekg(static_cast<std::streamoff>(Offset));
  From.read(Result.data(), static_cast<std::streamsize>(Size));
  Result.resize(static_cast<size_t>(From.gcount()));
  return Result;
}

template <typename T> bool copyTo(T &Into, std::string_view From, size_t At) {
  if (At > From.size() || From.size() - At < sizeof(T))
    return false;
  std::memcpy(&Into, From.data() + At, sizeof(T));
  return true;
}

// Whether Loopscope's note (runtime/src/base/objects.h) is among NOTES.
bool hasOurNote(std::string_view Notes) {
  constexpr std::string_view Name("Loopscope\0", 10);
  Elf64_Nhdr Head;
  for (size_t At = 0; copyTo(Head, Notes, At);) {
    At += sizeof(Head);
    if (Head.n_namesz == Name.size() &&
        Notes.substr(std::min(At, Notes.size()), Name.size()) == Name)
      return true;
    auto Rounded = [](uint64_t Size) { return (Size + 3) & ~uint64_t(3); };
    At += Rounded(Head.n_namesz) + Rounded(Head.n_descsz);
  }
  return false;
}

std::string interpreterOf(const std::string &Head) {
  std::string Line = Head.substr(2, Head.find('\n') - 2);
  size_t First = Line.find_first_not_of(" \t");
  if (First == std::string::npos)
    return {};
  return Line.substr(First, Line.find_first_of(" \t", First) - First);
}

Executable readElf(std::ifstream &From, const Elf64_Ehdr &Head) {
  Executable Result;
  for (unsigned I = 0; I < Head.e_phnum; ++I) {
    Elf64_Phdr Part;
    std::string Bytes = readAt(
        From, Head.e_phoff + uint64_t(I) * Head.e_phentsize, sizeof(Part));
    if (!copyTo(Part, Bytes, 0) || Part.p_filesz > MostBytes)
      continue;
    if (Part.p_type == PT_INTERP)
      Result.Loader = readAt(From, Part.p_offset, Part.p_filesz).c_str();
    if (Part.p_type == PT_NOTE)
      Result.HasRuntime |=
          hasOurNote(readAt(From, Part.p_offset, Part.p_filesz));
  }
  return Result;
}
} // namespace

std::optional<Executable> loopscope::readExecutable(const std::string &Path) {
  std::ifstream From(Path, std::ios::binary);
  std::string Head = readAt(From, 0, MostBytes);
  if (Head.starts_with("#!")) {
    Executable Result;
    Result.Interpreter = interpreterOf(Head);
    return Result;
  }
  if (!Head.starts_with(ELFMAG))
    return std::nullopt;
#if defined(__x86_64__)
  constexpr unsigned Machine = EM_X86_64;
#elif defined(__aarch64__)
  constexpr unsigned Machine = EM_AARCH64;
#else
  constexpr unsigned Machine = EM_NONE;
#endif
  Elf64_Ehdr Elf;
  if (Head.size() <= EI_CLASS || Head[EI_CLASS] != ELFCLASS64 ||
      !copyTo(Elf, Head, 0) || Elf.e_machine != Machine) {
    Executable Result;
    Result.IsOfThisMachine = false;
    return Result;
  }
  return readElf(From, Elf);
}
