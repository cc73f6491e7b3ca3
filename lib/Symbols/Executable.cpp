// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program headers of ELF files, and the first line of scripts.

#include "Symbols/Executable.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

using namespace loopscope;

namespace {
// Longer ones aren't read.
constexpr size_t MostBytes = 4096;
constexpr size_t MostStrings = 1U << 20; // of tables of names

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

// The program headers; empty if they are damaged.
std::vector<Elf64_Phdr> partsOf(std::ifstream &From, const Elf64_Ehdr &Head) {
  std::vector<Elf64_Phdr> Result;
  for (unsigned I = 0; I < Head.e_phnum; ++I) {
    Elf64_Phdr Part;
    if (!copyTo(Part,
                readAt(From, Head.e_phoff + uint64_t(I) * Head.e_phentsize,
                       sizeof(Part)),
                0))
      return {};
    Result.push_back(Part);
  }
  return Result;
}

// The names of the libraries that the program needs, one after another, each
// with an end of line.
std::string neededBy(std::ifstream &From,
                     const std::vector<Elf64_Phdr> &Parts) {
  std::string Dynamic;
  for (const Elf64_Phdr &Each : Parts)
    if (Each.p_type == PT_DYNAMIC)
      Dynamic = readAt(From, Each.p_offset,
                       std::min<uint64_t>(Each.p_filesz, MostStrings));
  std::vector<uint64_t> Names;
  uint64_t Table = 0;
  uint64_t Size = 0;
  Elf64_Dyn Entry;
  for (size_t At = 0; copyTo(Entry, Dynamic, At) && Entry.d_tag != DT_NULL;
       At += sizeof(Entry)) {
    if (Entry.d_tag == DT_NEEDED)
      Names.push_back(Entry.d_un.d_val);
    if (Entry.d_tag == DT_STRTAB)
      Table = Entry.d_un.d_ptr;
    if (Entry.d_tag == DT_STRSZ)
      Size = Entry.d_un.d_val;
  }
  std::string Strings;
  for (const Elf64_Phdr &Each : Parts)
    if (Each.p_type == PT_LOAD && Table >= Each.p_vaddr &&
        Table - Each.p_vaddr < Each.p_filesz)
      Strings = readAt(From, Each.p_offset + (Table - Each.p_vaddr),
                       std::min<uint64_t>(Size, MostStrings));
  std::string Result;
  for (uint64_t Each : Names)
    if (Each < Strings.size())
      Result += std::string(Strings.c_str() + Each) + '\n';
  return Result;
}

// Whether a section is there that debug information or a link to it is in.
bool hasDebugInfo(std::ifstream &From, const Elf64_Ehdr &Head) {
  std::vector<Elf64_Shdr> Sections(Head.e_shnum);
  std::string Bytes =
      readAt(From, Head.e_shoff, Sections.size() * sizeof(Elf64_Shdr));
  for (size_t I = 0; I < Sections.size(); ++I)
    if (!copyTo(Sections[I], Bytes, I * sizeof(Elf64_Shdr)))
      return false;
  if (Head.e_shstrndx >= Sections.size())
    return false;
  const Elf64_Shdr &Names = Sections[Head.e_shstrndx];
  std::string Text = readAt(From, Names.sh_offset,
                            std::min<uint64_t>(Names.sh_size, MostStrings));
  return std::ranges::any_of(Sections, [&](const Elf64_Shdr &Each) {
    if (Each.sh_name >= Text.size())
      return false;
    std::string_view Name = Text.c_str() + Each.sh_name;
    return Name == ".debug_info" || Name == ".zdebug_info" ||
           Name == ".gnu_debuglink";
  });
}

Executable readElf(std::ifstream &From, const Elf64_Ehdr &Head) {
  Executable Result;
  Result.HasDebugInfo = hasDebugInfo(From, Head);
  std::vector<Elf64_Phdr> Parts = partsOf(From, Head);
  for (const Elf64_Phdr &Part : Parts) {
    if (Part.p_filesz > MostBytes)
      continue;
    if (Part.p_type == PT_INTERP) {
      Result.Loader = readAt(From, Part.p_offset, Part.p_filesz);
      // Up to its terminator.
      Result.Loader.resize(
          std::min(Result.Loader.find('\0'), Result.Loader.size()));
    }
    if (Part.p_type == PT_NOTE)
      Result.HasRuntime |=
          hasOurNote(readAt(From, Part.p_offset, Part.p_filesz));
  }
  std::string Needed = neededBy(From, Parts);
  Result.HasAddressSanitizer =
      Needed.find("libasan.so") != std::string::npos ||
      Needed.find("libclang_rt.asan") != std::string::npos;
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
