// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which text a program was compiled from.

#include "Support/CompiledSource.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace loopscope {

uint64_t hashOf(std::string_view Text) {
  uint64_t Hash = 0xcbf29ce484222325;
  for (char C : Text)
    Hash = (Hash ^ static_cast<unsigned char>(C)) * 0x100000001b3;
  return Hash;
}

std::optional<std::string> sourceText(const std::string &Path) {
  std::error_code Why;
  // A device or a pipe might never end.
  if (!std::filesystem::path(Path).is_absolute() ||
      !std::filesystem::is_regular_file(Path, Why))
    return std::nullopt;
  return readWholeFile(Path);
}

std::string textOf(const CompiledSource &Source) {
  return fmt::format("{:016x} {} {} {}", Source.Hash, Source.Directory.size(),
                     Source.Directory, Source.Name);
}

std::optional<CompiledSource> readCompiledSource(std::string_view Text) {
  CompiledSource Result;
  auto Number = [&](auto &Into, int Base) {
    auto [End, Why] =
        std::from_chars(Text.data(), Text.data() + Text.size(), Into, Base);
    Text.remove_prefix(static_cast<size_t>(End - Text.data()));
    bool IsGood = Why == std::errc() && Text.starts_with(" ");
    Text.remove_prefix(IsGood ? 1 : 0);
    return IsGood;
  };
  size_t Length = 0;
  if (!Number(Result.Hash, 16) || !Number(Length, 10) ||
      Length >= Text.size() || Text[Length] != ' ')
    return std::nullopt;
  Result.Directory = Text.substr(0, Length);
  Result.Name = Text.substr(Length + 1);
  return Result;
}

} // namespace loopscope
