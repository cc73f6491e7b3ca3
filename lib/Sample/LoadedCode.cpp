// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files are read once, when they are mapped.

#include "Sample/LoadedCode.h"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
constexpr const char *KernelsCode = "[vdso]";
} // namespace

// The process's own file is read through /proc while it runs, because its path
// may lead to another one by now.
const ElfImage *LoadedCode::imageOf(const PerfMapping &Mapping) {
  auto [Found, IsNew] = Images.try_emplace(Mapping.Path);
  if (!IsNew)
    return Found->second.get();
  std::string Own = fmt::format("/proc/{}/exe", Mapping.Pid);
  std::error_code Failed;
  if (Mapping.Path == KernelsCode)
    Found->second = ElfImage::ofKernel();
  else if (fs::read_symlink(Own, Failed) == Mapping.Path)
    Found->second = ElfImage::read(Own);
  if (!Found->second && Mapping.Path.starts_with('/'))
    Found->second = ElfImage::read(Mapping.Path);
  return Found->second.get();
}

const CodeSegment *LoadedCode::add(const PerfMapping &Mapping) {
  CodeSegment New;
  New.Start = Mapping.Start;
  New.End = Mapping.Start + Mapping.Bytes;
  // What lay there is gone, and what was known about it.
  for (auto At = Segments.begin(); At != Segments.end();)
    At = At->second.Start < New.End && New.Start < At->second.End
             ? Segments.erase(At)
             : std::next(At);
  Known.clear();
  New.Image = imageOf(Mapping);
  std::optional<uint64_t> Address =
      New.Image == nullptr ? std::nullopt
                           : New.Image->addressOf(Mapping.FileOffset);
  if (!Address)
    return nullptr;
  New.Bias = New.Start - *Address;
  // As the loader calls it.
  New.Path = Mapping.Path == KernelsCode ? "linux-vdso.so.1" : Mapping.Path;
  return &(Segments[New.Start] = std::move(New));
}

const CodeSegment *LoadedCode::segmentAt(uint64_t Address) const {
  auto After = Segments.upper_bound(Address);
  if (After == Segments.begin())
    return nullptr;
  const CodeSegment &Found = std::prev(After)->second;
  return Address < Found.End ? &Found : nullptr;
}

const char *LoadedCode::bytes(uint64_t Address, uint64_t Count) const {
  const CodeSegment *In = segmentAt(Address);
  if (In == nullptr || Count > In->End - Address)
    return nullptr;
  return In->Image->bytes(Address - In->Bias, Count);
}

runtime::FrameRule LoadedCode::ruleAt(uint64_t Address) {
  auto [Found, IsNew] = Known.try_emplace(Address);
  const CodeSegment *In = IsNew ? segmentAt(Address) : nullptr;
  const char *Code = In == nullptr ? nullptr : bytes(Address, 1);
  if (Code == nullptr)
    return Found->second;
  // Tables have distances only, so they hold wherever the code is.
  if (In->Image->frameTable() != nullptr)
    Found->second = runtime::readFrameRule(
        reinterpret_cast<uintptr_t>(In->Image->frameTable()),
        reinterpret_cast<uintptr_t>(Code), Tables);
  return Found->second;
}
