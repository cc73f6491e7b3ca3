// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes no file for an earlier part that another run, or another moment of this
// one, has written.

#include "Run/Read/PartsReader.h"

#include "Run/Read/Clock.h"
#include "Run/Read/MappedFile.h"
#include "Run/Read/MergedFile.h"
#include "Run/Read/SinceReset.h"
#include "Support/Paths.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

using namespace loopscope;

namespace {
using Header = loopscope_profile_header;

// Identifies a process's run.
auto runOf(const Header &H) {
  return std::tuple(std::string(H.host, strnlen(H.host, sizeof(H.host))), H.pid,
                    H.rank, H.start_realtime_ns, H.start_ticks);
}

bool isPart(const Header &H) { return (H.flags & LOOPSCOPE_FLAG_PART) != 0; }

// Where the file NAMED so may be for the profile PATH. What a profile says
// about other folders isn't trusted, unless it is a descriptor of the runtime's
// own report.
std::string placeOf(const std::string &Named, const std::string &Path) {
  if (Path.starts_with("/proc/self/fd/"))
    return Named;
  return (std::filesystem::path(Path).parent_path() / fileName(Named)).string();
}

// The file of the part that ended at END_TICKS of the run H, or why there is
// none.
Result<MappedFile> openEarlier(const std::string &Path, const Header &H,
                               uint64_t EndTicks) {
  std::error_code Failed; // opening a pipe would wait for its writer
  if (!std::filesystem::is_regular_file(Path, Failed))
    return Error{fmt::format("{} isn't there", Path)};
  Result<MappedFile> File = MappedFile::open(Path);
  if (!File)
    return File.error();
  Result<ProfileBytes> Records = ProfileBytes::parse(File->bytes(), Path);
  if (!Records)
    return Records.error();
  const Header &Its = Records->header();
  if (!isPart(Its) || runOf(Its) != runOf(H) || Its.end_ticks != EndTicks ||
      Its.used_bytes > File->bytes().size())
    return Error{fmt::format("{} isn't the part before it", Path)};
  return File;
}
} // namespace

RunParts loopscope::readParts(ProfileBytes &Records) {
  RunParts Result;
  for (const auto &Each : Records.parts())
    Result.Earlier.emplace_back(fileName(Records.text(Each.Value.file)));
  uint32_t Flags = Records.header().flags;
  if (!Result.Earlier.empty() || (Flags & LOOPSCOPE_FLAG_PART) != 0)
    Result.Number = static_cast<uint32_t>(Result.Earlier.size()) + 1;
  Result.IsDivided =
      Result.Number == 1 || (Flags & LOOPSCOPE_FLAG_DIVIDED) != 0;
  return Result;
}

std::vector<std::byte> loopscope::dividePart(std::span<const std::byte> Bytes,
                                             const std::string &Path,
                                             RunParts &About) {
  if (Bytes.empty())
    return {};
  Result<ProfileBytes> Records = ProfileBytes::parse(Bytes, Path);
  if (!Records)
    return {};
  About = readParts(*Records);
  if (About.Number < 2 || About.IsDivided)
    return {};
  const Header &H = Records->header();
  loopscope_part Last = Records->parts().back().Value;
  Result<MappedFile> Before =
      openEarlier(placeOf(Records->text(Last.file), Path), H, Last.end_ticks);
  if (!Before) {
    About.WhyWhole = Before.error().Message;
    return {};
  }
  PartBytes Part = sinceReset(Bytes, Before->bytes());
  About.IsDivided = true;
  About.SpansAcross = Part.SpansAcross;
  About.Approximate = Part.Approximate;
  if (Last.end_ticks > H.start_ticks)
    About.BeganNs = Clock(H).toNs(Last.end_ticks - H.start_ticks);
  return std::move(Part.Bytes);
}

std::vector<std::string>
loopscope::withoutEarlierParts(const std::vector<std::string> &Paths) {
  using Run = decltype(runOf(Header{}));
  auto EndOf = [](const Header &H) {
    return isPart(H) ? H.end_ticks : UINT64_MAX;
  };
  std::vector<std::optional<Header>> Headers;
  std::map<Run, uint64_t> Latest;
  for (const std::string &Path : Paths) {
    Headers.push_back(headerAt(Path));
    std::optional<Header> &H = Headers.back();
    if (H && !isProfile(*H))
      H.reset();
    if (H) {
      uint64_t &End = Latest[runOf(*H)];
      End = std::max(End, EndOf(*H));
    }
  }
  std::vector<std::string> Result;
  for (size_t I = 0; I < Paths.size(); ++I)
    if (!Headers[I] || !isPart(*Headers[I]) ||
        EndOf(*Headers[I]) == Latest[runOf(*Headers[I])])
      Result.push_back(Paths[I]);
  return Result;
}
