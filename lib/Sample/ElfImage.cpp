// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Segments by the program headers. Linkers write no sorted table of frames into
// some static programs (gcc -static); then one is made of the section
// .eh_frame.

#include "Sample/ElfImage.h"

#include "Symbols/ElfFile.h"

#include "stacks/frame_entries.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string_view>
#include <sys/auxv.h>

using namespace loopscope;

namespace loopscope {
class ImageReader {
public:
  explicit ImageReader(const std::string &Path)
      : From(Path, std::ios::binary) {}

  bool read(ElfImage &Into);
  static bool readLoaded(const char *Start, ElfImage &Into);

private:
  // Larger files are left out.
  static constexpr uint64_t MostBytes = 1U << 30;

  template <typename T> bool get(uint64_t Offset, T &Into) {
    return get(Offset, reinterpret_cast<char *>(&Into), sizeof(Into));
  }
  bool get(uint64_t Offset, char *Into, uint64_t Bytes) {
    From.clear();
    From.seekg(static_cast<std::streamoff>(Offset));
    From.read(Into, static_cast<std::streamsize>(Bytes));
    return static_cast<uint64_t>(From.gcount()) == Bytes;
  }
  void makeTable(const Elf64_Ehdr &Head, ElfImage &Into);

  std::ifstream From;
};

// Notes where the parts with code are, and the table of frames.
static void note(const Elf64_Phdr &Part, uint64_t &Table,
                 std::vector<Elf64_Phdr> &Loaded) {
  if (Part.p_type == PT_GNU_EH_FRAME)
    Table = Part.p_vaddr;
  if (Part.p_type == PT_LOAD)
    Loaded.push_back(Part);
}

bool ImageReader::read(ElfImage &Into) {
  Elf64_Ehdr Head;
  if (!get(0, Head) || std::memcmp(Head.e_ident, ELFMAG, SELFMAG) != 0 ||
      Head.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  std::vector<Elf64_Phdr> Loaded;
  uint64_t Table = 0;
  for (unsigned I = 0; I < Head.e_phnum; ++I) {
    Elf64_Phdr Part;
    if (!get(Head.e_phoff + uint64_t(I) * Head.e_phentsize, Part))
      return false;
    note(Part, Table, Loaded);
  }
  uint64_t End = 0;
  Into.First = UINT64_MAX;
  for (const Elf64_Phdr &Each : Loaded) {
    if (Each.p_vaddr > INT64_MAX || Each.p_filesz > MostBytes)
      return false;
    Into.First = std::min(Into.First, Each.p_vaddr);
    End = std::max(End, Each.p_vaddr + Each.p_filesz);
    if ((Each.p_flags & PF_X) != 0)
      Into.Code.push_back({Each.p_vaddr, Each.p_filesz, Each.p_offset});
  }
  if (End <= Into.First || End - Into.First > MostBytes)
    return false;
  Into.Copied.resize(End - Into.First);
  for (const Elf64_Phdr &Each : Loaded) {
    bool HasTable =
        Table >= Each.p_vaddr && Table - Each.p_vaddr < Each.p_filesz;
    if (((Each.p_flags & PF_W) == 0 || HasTable) &&
        !get(Each.p_offset, Into.Copied.data() + (Each.p_vaddr - Into.First),
             Each.p_filesz))
      return false;
  }
  Into.MemoryBytes = Into.Copied.size();
  if (Table == 0)
    makeTable(Head, Into);
  Into.Memory = Into.Copied.data();
  if (Table != 0)
    Into.Table = Into.bytes(Table, 1);
  return true;
}

// Appends a table in the form that linkers use: numbers relative to its start,
// in ascending order.
void ImageReader::makeTable(const Elf64_Ehdr &Head, ElfImage &Into) {
  Elf64_Shdr Names;
  if (Head.e_shnum == 0 ||
      !get(Head.e_shoff + uint64_t(Head.e_shstrndx) * Head.e_shentsize, Names))
    return;
  uint64_t Start = 0;
  uint64_t Bytes = 0;
  constexpr std::string_view Wanted(".eh_frame\0", 10);
  for (unsigned I = 0; I < Head.e_shnum; ++I) {
    Elf64_Shdr Each;
    char Name[Wanted.size()] = "";
    if (!get(Head.e_shoff + uint64_t(I) * Head.e_shentsize, Each))
      return;
    if (get(Names.sh_offset + Each.sh_name, Name, sizeof(Name)) &&
        std::string_view(Name, sizeof(Name)) == Wanted) {
      Start = Each.sh_addr;
      Bytes = Each.sh_size;
    }
  }
  if (Start < Into.First || Start - Into.First > Into.Copied.size() ||
      Bytes > Into.Copied.size() - (Start - Into.First))
    return;
  struct Pair {
    int32_t Function, Entry;
  };
  std::vector<Pair> Pairs;
  // Aligned, behind the segments.
  uint64_t Place = (Into.Copied.size() + 7) & ~uint64_t(7);
  auto Base = reinterpret_cast<uintptr_t>(Into.Copied.data());
  uintptr_t At = Base + (Start - Into.First);
  uintptr_t End = At + Bytes;
  runtime::Readable Readable;
  runtime::FrameEntry Entry;
  auto Relative = [&](uintptr_t Address) {
    return static_cast<int32_t>(static_cast<int64_t>(Address - Base) -
                                static_cast<int64_t>(Place));
  };
  while (At < End && runtime::nextFrameEntry(At, End, Entry, Readable))
    if (Entry.Function >= Base && Entry.Function < Base + Place)
      Pairs.push_back({Relative(Entry.Function), Relative(Entry.At)});
  if (Pairs.empty())
    return;
  std::sort(Pairs.begin(), Pairs.end(), [](const Pair &A, const Pair &B) {
    return A.Function < B.Function;
  });
  struct {
    // Version, encodings of the pointer to .eh_frame (not used), of the number
    // of pairs, and of the pairs.
    uint8_t Version = 1, Pointer = 0x1b, Number = 0x03, Table = 0x3b;
    int32_t Frames = 0;
    uint32_t Count = 0;
  } Header;
  Header.Count = static_cast<uint32_t>(Pairs.size());
  Into.Copied.resize(Place + sizeof(Header) + Pairs.size() * sizeof(Pair));
  char *To = Into.Copied.data() + Place;
  std::memcpy(To, &Header, sizeof(Header));
  std::memcpy(To + sizeof(Header), Pairs.data(), Pairs.size() * sizeof(Pair));
  Into.Table = To;
}

bool ImageReader::readLoaded(const char *Start, ElfImage &Into) {
  Elf64_Ehdr Head;
  std::memcpy(&Head, Start, sizeof(Head));
  std::vector<Elf64_Phdr> Loaded;
  uint64_t Table = 0;
  for (unsigned I = 0; I < Head.e_phnum; ++I) {
    Elf64_Phdr Part;
    std::memcpy(&Part, Start + Head.e_phoff + size_t(I) * Head.e_phentsize,
                sizeof(Part));
    note(Part, Table, Loaded);
  }
  if (Loaded.size() != 1 || Loaded[0].p_vaddr != 0)
    return false;
  Into.Memory = Start;
  Into.MemoryBytes = Loaded[0].p_memsz;
  Into.Code.push_back({0, Loaded[0].p_memsz, 0});
  if (Table != 0)
    Into.Table = Into.bytes(Table, 1);
  return true;
}
} // namespace loopscope

std::unique_ptr<ElfImage> ElfImage::read(const std::string &Path) {
  auto Result = std::make_unique<ElfImage>();
  if (!ImageReader(Path).read(*Result))
    return nullptr;
  if (std::optional<ElfFile> File = ElfFile::read(Path))
    Result->BuildId = File->buildId();
  return Result;
}

std::unique_ptr<ElfImage> ElfImage::ofKernel() {
  auto Result = std::make_unique<ElfImage>();
  const auto *Start =
      reinterpret_cast<const char *>(getauxval(AT_SYSINFO_EHDR));
  if (Start == nullptr || !ImageReader::readLoaded(Start, *Result))
    return nullptr;
  return Result;
}

std::optional<uint64_t> ElfImage::addressOf(uint64_t FileOffset) const {
  // The kernel maps whole pages, so the end of one part may be mapped with the
  // next.
  constexpr uint64_t Page = 4096;
  const Part *Found = nullptr;
  for (const Part &Each : Code)
    if (FileOffset >= Each.FileOffset / Page * Page &&
        FileOffset < Each.FileOffset + Each.Bytes)
      Found = &Each;
  if (Found == nullptr)
    return std::nullopt;
  return Found->Address + (FileOffset - Found->FileOffset);
}

const char *ElfImage::bytes(uint64_t Address, uint64_t Count) const {
  if (Address < First || Address - First > MemoryBytes ||
      Count > MemoryBytes - (Address - First))
    return nullptr;
  return Memory + (Address - First);
}
