// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of an ELF file, each checked against the file before it is read.

#include "Symbols/ElfFile.h"

#include "Support/CompiledSource.h"
#include "Support/Printable.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>

using namespace loopscope;

namespace loopscope {
/// Reads one file.
class ElfReader {
public:
  explicit ElfReader(const std::string &Path) : In(Path, std::ios::binary) {
    std::error_code Error;
    FileSize = std::filesystem::file_size(Path, Error);
    if (Error)
      FileSize = 0;
  }

  bool read(ElfFile &Into);

private:
  // COUNT records at OFFSET; empty if they aren't entirely in the file.
  template <typename T>
  std::vector<T> records(uint64_t Offset, uint64_t Count) {
    if (Offset > FileSize || Count > (FileSize - Offset) / sizeof(T))
      return {};
    std::vector<T> Result(Count);
    In.clear();
    In.seekg(static_cast<std::streamoff>(Offset));
    In.read(reinterpret_cast<char *>(Result.data()),
            static_cast<std::streamsize>(Count * sizeof(T)));
    if (!In)
      Result.clear();
    return Result;
  }
  void readBuildId(const Elf64_Shdr &Notes, ElfFile &Into);
  void readSources(const Elf64_Shdr &Section, const Elf64_Shdr &Names,
                   ElfFile &Into);
  void readSymbols(const Elf64_Shdr &Table,
                   const std::vector<Elf64_Shdr> &Sections, ElfFile &Into);

  void readFrameTable(const Elf64_Phdr &Table, ElfFile &Into);

  std::ifstream In;
  uint64_t FileSize = 0;
};
} // namespace loopscope

void ElfReader::readBuildId(const Elf64_Shdr &Notes, ElfFile &Into) {
  std::vector<uint8_t> Bytes = records<uint8_t>(Notes.sh_offset, Notes.sh_size);
  size_t At = 0;
  while (Bytes.size() - At >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr Note;
    std::memcpy(&Note, &Bytes[At], sizeof(Note));
    At += sizeof(Note);
    uint64_t Name = (uint64_t{Note.n_namesz} + 3) & ~uint64_t{3};
    uint64_t Content = (uint64_t{Note.n_descsz} + 3) & ~uint64_t{3};
    if (Name + Content > Bytes.size() - At)
      return;
    if (Note.n_type == NT_GNU_BUILD_ID && Note.n_namesz == 4 &&
        std::memcmp(&Bytes[At], "GNU", 4) == 0)
      Into.BuildId =
          hexadecimal(std::span(Bytes).subspan(At + Name, Note.n_descsz));
    At += Name + Content;
  }
}

void ElfReader::readSources(const Elf64_Shdr &Section, const Elf64_Shdr &Names,
                            ElfFile &Into) {
  std::vector<char> Name =
      Section.sh_name < Names.sh_size
          ? records<char>(Names.sh_offset + Section.sh_name,
                          std::min<uint64_t>(Names.sh_size - Section.sh_name,
                                             CompiledSourcesSection.size() + 1))
          : std::vector<char>();
  if (std::string_view(Name.data(), Name.size()) !=
      std::string(CompiledSourcesSection) + '\0')
    return;
  std::vector<char> Text = records<char>(Section.sh_offset, Section.sh_size);
  for (auto At = Text.begin(); At != Text.end();) {
    auto End = std::find(At, Text.end(), '\0');
    for (std::string_view Rest(At, End); !Rest.empty();) {
      size_t Length =
          std::min(Rest.find(CompiledSourcesSeparator), Rest.size());
      Into.Sources.emplace_back(Rest.substr(0, Length));
      Rest.remove_prefix(
          std::min(Length + CompiledSourcesSeparator.size(), Rest.size()));
    }
    At = End == Text.end() ? End : End + 1;
  }
}

void ElfReader::readSymbols(const Elf64_Shdr &Table,
                            const std::vector<Elf64_Shdr> &Sections,
                            ElfFile &Into) {
  if (Table.sh_link >= Sections.size())
    return;
  const Elf64_Shdr &Strings = Sections[Table.sh_link];
  std::vector<char> Names = records<char>(Strings.sh_offset, Strings.sh_size);
  for (const Elf64_Sym &Each :
       records<Elf64_Sym>(Table.sh_offset, Table.sh_size / sizeof(Elf64_Sym))) {
    unsigned Kind = ELF64_ST_TYPE(Each.st_info);
    bool IsFunction = Kind == STT_FUNC || Kind == STT_GNU_IFUNC;
    if (!IsFunction || Each.st_shndx == SHN_UNDEF ||
        Each.st_name >= Names.size())
      continue;
    // Assembler code may omit sizes, but a function stays within its section.
    uint64_t Size = Each.st_size;
    if (Size == 0 && Each.st_shndx < Sections.size()) {
      const Elf64_Shdr &Code = Sections[Each.st_shndx];
      Size =
          Code.sh_size - std::min(Code.sh_size, Each.st_value - Code.sh_addr);
    }
    const char *Name = &Names[Each.st_name];
    Into.Functions.push_back(
        {Each.st_value, Size,
         std::string(Name, strnlen(Name, Names.size() - Each.st_name))});
  }
}

// The sorted table of .eh_frame_hdr, in the only form that linkers write: a
// head, then pairs of numbers relative to it.
void ElfReader::readFrameTable(const Elf64_Phdr &Table, ElfFile &Into) {
  struct Head {
    uint8_t Version, Pointer, Count, Pairs;
    uint32_t Frames, Entries;
  };
  struct Pair {
    int32_t Start, Entry;
  };
  constexpr uint8_t Unsigned32 = 0x03;
  constexpr uint8_t RelativeToTable = 0x3b;
  std::vector<Head> Heads = records<Head>(Table.p_offset, 1);
  if (Heads.empty() || Heads[0].Version != 1 || Heads[0].Count != Unsigned32 ||
      Heads[0].Pairs != RelativeToTable)
    return;
  for (const Pair &Each :
       records<Pair>(Table.p_offset + sizeof(Head), Heads[0].Entries))
    Into.FrameStarts.push_back(Table.p_vaddr +
                               static_cast<uint64_t>(int64_t{Each.Start}));
  std::sort(Into.FrameStarts.begin(), Into.FrameStarts.end());
}

bool ElfReader::read(ElfFile &Into) {
  std::vector<Elf64_Ehdr> Headers = records<Elf64_Ehdr>(0, 1);
  if (Headers.empty())
    return false;
  const Elf64_Ehdr &Header = Headers.front();
  constexpr unsigned char Order =
      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
  if (std::memcmp(Header.e_ident, ELFMAG, SELFMAG) != 0 ||
      Header.e_ident[EI_CLASS] != ELFCLASS64 ||
      Header.e_ident[EI_DATA] != Order ||
      Header.e_shentsize != sizeof(Elf64_Shdr))
    return false;
  std::vector<Elf64_Shdr> Sections =
      records<Elf64_Shdr>(Header.e_shoff, Header.e_shnum);
  bool HasTable =
      std::any_of(Sections.begin(), Sections.end(),
                  [](const Elf64_Shdr &S) { return S.sh_type == SHT_SYMTAB; });
  for (const Elf64_Shdr &Each : Sections) {
    if (Each.sh_type == SHT_PROGBITS && (Each.sh_flags & SHF_ALLOC) == 0 &&
        Header.e_shstrndx < Sections.size())
      readSources(Each, Sections[Header.e_shstrndx], Into);
    if (Each.sh_type == SHT_NOTE)
      readBuildId(Each, Into);
    // What a stripped library keeps.
    if (Each.sh_type == (HasTable ? SHT_SYMTAB : SHT_DYNSYM))
      readSymbols(Each, Sections, Into);
  }
  if (Header.e_phentsize == sizeof(Elf64_Phdr))
    for (const Elf64_Phdr &Each :
         records<Elf64_Phdr>(Header.e_phoff, Header.e_phnum))
      if (Each.p_type == PT_GNU_EH_FRAME)
        readFrameTable(Each, Into);
  std::stable_sort(Into.Functions.begin(), Into.Functions.end(),
                   [](const ElfFile::Function &A, const ElfFile::Function &B) {
                     return A.Start < B.Start;
                   });
  return true;
}

std::optional<ElfFile> ElfFile::read(const std::string &Path) {
  std::error_code Error;
  // A device or a pipe might never end.
  if (!std::filesystem::is_regular_file(Path, Error))
    return std::nullopt;
  ElfFile Result;
  if (!ElfReader(Path).read(Result))
    return std::nullopt;
  return Result;
}

std::string ElfFile::functionAt(uint64_t Address) const {
  auto After = std::upper_bound(
      Functions.begin(), Functions.end(), Address,
      [](uint64_t A, const Function &F) { return A < F.Start; });
  while (After != Functions.begin()) {
    --After;
    if (Address - After->Start < After->Size)
      return After->Name;
    // If several start at the same address, any may be the longest.
    if (After == Functions.begin() || std::prev(After)->Start != After->Start)
      return {};
  }
  return {};
}

uint64_t ElfFile::frameStart(uint64_t Address) const {
  auto After =
      std::upper_bound(FrameStarts.begin(), FrameStarts.end(), Address);
  return After == FrameStarts.begin() ? 0 : *std::prev(After);
}
