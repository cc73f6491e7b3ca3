// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks through the code of an ELF file for calls relative to the instruction.

#include "Symbols/CallSites.h"

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>

using namespace loopscope;

namespace {
// Code of a file, and the address of its first byte.
struct CodeSegment {
  uint64_t Start;
  std::vector<unsigned char> Bytes;

  bool has(uint64_t Address) const {
    return Address >= Start && Address - Start < Bytes.size();
  }
};

// The instruction: an operation code, and how far it is from its end to the
// function.
constexpr size_t CallSize = 5;
constexpr unsigned char Call = 0xe8;

template <typename T> bool readAt(std::ifstream &In, uint64_t Offset, T &Into) {
  In.seekg(static_cast<std::streamoff>(Offset));
  return static_cast<bool>(In.read(reinterpret_cast<char *>(&Into),
                                   static_cast<std::streamsize>(sizeof(T))));
}

std::vector<CodeSegment> codeOf(const std::string &Path) {
  std::vector<CodeSegment> Result;
  std::error_code Failed;
  if (!std::filesystem::is_regular_file(Path, Failed))
    return Result;
  uint64_t Size = std::filesystem::file_size(Path, Failed);
  std::ifstream In(Path, std::ios::binary);
  Elf64_Ehdr Header;
  if (Failed || !readAt(In, 0, Header) ||
      std::memcmp(Header.e_ident, ELFMAG, SELFMAG) != 0 ||
      Header.e_ident[EI_CLASS] != ELFCLASS64 || Header.e_machine != EM_X86_64 ||
      Header.e_phentsize != sizeof(Elf64_Phdr))
    return Result;
  for (size_t I = 0; I < Header.e_phnum; ++I) {
    Elf64_Phdr Each;
    if (!readAt(In, Header.e_phoff + I * sizeof(Each), Each))
      return {};
    if (Each.p_type != PT_LOAD || (Each.p_flags & PF_X) == 0 ||
        Each.p_offset > Size || Each.p_filesz > Size - Each.p_offset)
      continue;
    CodeSegment Next{Each.p_vaddr, std::vector<unsigned char>(Each.p_filesz)};
    In.seekg(static_cast<std::streamoff>(Each.p_offset));
    if (In.read(reinterpret_cast<char *>(Next.Bytes.data()),
                static_cast<std::streamsize>(Next.Bytes.size())))
      Result.push_back(std::move(Next));
  }
  return Result;
}

// What the call whose operand begins at OPERAND calls, if it is one.
uint64_t calledAt(const CodeSegment &In, size_t Operand) {
  int32_t Distance;
  std::memcpy(&Distance, &In.Bytes[Operand], sizeof(Distance));
  return In.Start + Operand + sizeof(Distance) +
         static_cast<uint64_t>(int64_t{Distance});
}
} // namespace

std::vector<uint64_t> loopscope::callsOfSameFunction(const std::string &Path,
                                                     uint64_t Address,
                                                     size_t Most) {
  std::vector<CodeSegment> Segments = codeOf(Path);
  uint64_t Target = 0;
  bool IsKnown = false;
  for (const CodeSegment &Each : Segments) {
    size_t Last = Each.has(Address) ? Address - Each.Start : 0;
    if (Last + 1 < CallSize || Each.Bytes[Last + 1 - CallSize] != Call)
      continue;
    Target = calledAt(Each, Last + 2 - CallSize);
    IsKnown = true;
  }
  std::vector<uint64_t> Result;
  if (!IsKnown)
    return Result;
  for (const CodeSegment &Each : Segments)
    for (size_t At = 0; At + CallSize <= Each.Bytes.size(); ++At)
      if (Each.Bytes[At] == Call && calledAt(Each, At + 1) == Target)
        Result.push_back(Each.Start + At + CallSize - 1);
  if (Result.size() > Most)
    Result.clear();
  return Result;
}
