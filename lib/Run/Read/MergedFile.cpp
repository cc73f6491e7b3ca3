// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every offset in a merged file before using it.

#include "Run/Read/MergedFile.h"

#include "Run/Read/PartsReader.h"
#include "Run/Read/ProfileBytes.h"
#include "Run/Read/TwoProfiles.h"

#include <loopscope/profile_copy.h>
#include <loopscope/profile_format.h>
#include <loopscope/profile_pack.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

using namespace loopscope;

namespace {
using Bytes = std::span<const std::byte>;
using Member = loopscope_merged_member;

bool isMerged(Bytes File) {
  constexpr std::string_view Magic = LOOPSCOPE_MERGED_MAGIC;
  return File.size() >= sizeof(loopscope_merged_header) &&
         std::memcmp(File.data(), Magic.data(), Magic.size()) == 0;
}

Result<std::vector<Member>> membersOf(Bytes File, const std::string &Name) {
  auto Header = copyFrom<loopscope_merged_header>(File, 0);
  if (Header.version_major != LOOPSCOPE_PROFILE_VERSION_MAJOR)
    return Error{fmt::format("{}: is a merged file of profile format {}.{}, "
                             "and this loopscope reads {}.x",
                             Name, Header.version_major, Header.version_minor,
                             LOOPSCOPE_PROFILE_VERSION_MAJOR)};
  uint64_t Needed =
      sizeof(Header) +
      uint64_t(Header.members) * std::max<uint64_t>(Header.member_size, 1);
  if (Header.member_size < sizeof(Member) || Header.member_size % 8 != 0 ||
      Needed > Header.header_size || Header.header_size > File.size())
    return Error{fmt::format("{}: is damaged or truncated: its list of {} "
                             "ranks doesn't fit; copy it again",
                             Name, Header.members)};
  std::vector<Member> Result(Header.members);
  for (size_t I = 0; I < Result.size(); ++I)
    Result[I] =
        copyFrom<Member>(File, sizeof(Header) + I * size_t{Header.member_size});
  return Result;
}

// The SIZE bytes at OFFSET; empty if they aren't in FILE.
Bytes partOf(Bytes File, uint64_t Offset, uint64_t Size) {
  if (Offset == 0 || Offset > File.size() || Size > File.size() - Offset)
    return {};
  return File.subspan(Offset, Size);
}

bool isPacked(Bytes Copy) {
  constexpr std::string_view Magic = LOOPSCOPE_PACKED_MAGIC;
  return Copy.size() >= sizeof(loopscope_packed_profile) &&
         std::memcmp(Copy.data(), Magic.data(), Magic.size()) == 0;
}

// A member's bytes, packed or not; empty if some are missing.
Bytes bytesOf(const Member &M, Bytes File) {
  Bytes Found = M.arrived == M.size ? partOf(File, M.offset, M.size) : Bytes{};
  return isPacked(Found) || M.offset % LOOPSCOPE_PROFILE_PAGE == 0 ? Found
                                                                   : Bytes{};
}

// The first SIZE bytes, at most, of a packed copy in FILE; empty if it is
// damaged.
std::vector<std::byte> unpacked(Bytes Copy, Bytes File, uint64_t Size) {
  constexpr uint64_t Most = uint64_t{1} << 28; // of a brief copy, by far
  auto Of = copyFrom<loopscope_merged_header>(File, 0);
  Bytes Base = partOf(File, Of.base_offset, Of.base_size);
  auto Head = copyFrom<loopscope_packed_profile>(Copy, 0);
  Size = std::min(Size, Head.size);
  if (Size > Most || Size % LOOPSCOPE_PROFILE_PAGE != 0)
    return {};
  auto In = [](Bytes Each) {
    return profile_pack::Bytes{reinterpret_cast<const char *>(Each.data()),
                               Each.size()};
  };
  std::vector<std::byte> Result(Size);
  if (!profile_pack::unpack(In(Copy.subspan(sizeof(Head))), In(Base),
                            reinterpret_cast<char *>(Result.data()), Size))
    return {};
  return Result;
}

// "FILE:RANK" in its two parts; without a rank if PATH is itself a file.
std::pair<std::string, std::string> splitMember(const std::string &Path) {
  std::error_code Failed;
  size_t Colon = Path.rfind(':');
  if (std::filesystem::exists(Path, Failed) || Colon == std::string::npos ||
      Colon + 1 == Path.size() ||
      Path.find_first_not_of("0123456789", Colon + 1) != std::string::npos ||
      !std::filesystem::is_regular_file(Path.substr(0, Colon), Failed))
    return {Path, ""};
  return {Path.substr(0, Colon), Path.substr(Colon + 1)};
}

// Identifies a process.
using Identity = std::tuple<std::string, int32_t, int32_t, int64_t>;

Identity identityOf(Bytes Profile) {
  if (Profile.size() < LOOPSCOPE_PROFILE_PAGE)
    return {};
  auto Header = copyFrom<loopscope_profile_header>(Profile, 0);
  return {std::string(Header.host, strnlen(Header.host, sizeof(Header.host))),
          Header.pid, Header.rank, Header.start_realtime_ns};
}

bool isMember(const std::string &Path) {
  return !splitMember(Path).second.empty();
}

// The chunks of a profile, as copies are made of them.
std::vector<profile_copy::Source> sourcesOf(Bytes Profile) {
  std::vector<profile_copy::Source> Result;
  auto Header = copyFrom<loopscope_profile_header>(Profile, 0);
  bool IsCopy = (Header.flags & LOOPSCOPE_FLAG_COPY) != 0;
  for (const loopscope_chunk_header *C : chunksOf(Profile))
    Result.push_back({C, IsCopy ? C->copied_from
                                : static_cast<uint64_t>(
                                      reinterpret_cast<const std::byte *>(C) -
                                      Profile.data())});
  return Result;
}

// Appends the copy of PROFILE.
void appendCopy(Bytes Profile, size_t Ranks, std::string &To) {
  using namespace profile_copy;
  std::vector<Source> Chunks = sourcesOf(Profile);
  uint64_t Newest = 0;
  for (const Source &Each : Chunks)
    Newest = std::max(Newest, newestCollective(Each));
  Limits Taken = limitsOf(Newest, Ranks);
  if (!std::ranges::all_of(Chunks, isInOrder))
    Taken.Together = 1;
  size_t Start = To.size();
  To.resize(Start + LOOPSCOPE_PROFILE_PAGE);
  for (const Source &Each : Chunks) {
    uint32_t Count = entriesCopied(Each, Taken);
    size_t At = To.size();
    To.resize(At + copySize(Each, Count, Taken));
    copyChunk(Each, Count, Taken, To.data() + At);
  }
  copyHeader(
      *reinterpret_cast<const loopscope_profile_header *>(Profile.data()),
      To.size() - Start, Taken,
      *reinterpret_cast<loopscope_profile_header *>(To.data() + Start));
}

// openProfileBytes() without a look at parts; of a packed copy, just the first
// MOST bytes.
Result<OpenProfile> openWhole(const std::string &Path,
                              uint64_t Most = UINT64_MAX) {
  auto [FilePath, Rank] = splitMember(Path);
  Result<MappedFile> File = MappedFile::open(FilePath);
  if (!File)
    return File.error();
  Bytes All = File->bytes();
  if (Rank.empty()) {
    if (isMerged(All))
      return Error{fmt::format("{0}: holds the profiles of several ranks; name "
                               "one of them, for example {0}:0",
                               Path)};
    return OpenProfile{std::move(*File), All, {}, {}};
  }
  if (!isMerged(All))
    return Error{fmt::format("{}: cannot open: {} is not a merged file", Path,
                             FilePath)};
  Result<std::vector<Member>> Members = membersOf(All, FilePath);
  if (!Members)
    return Members.error();
  constexpr size_t MostDigits = 9;
  size_t Number = Rank.size() > MostDigits ? SIZE_MAX : std::stoul(Rank);
  if (Number >= Members->size())
    return Error{fmt::format("{}: there is no rank {} in it; it has {}", Path,
                             Rank, Members->size())};
  Bytes Found = bytesOf((*Members)[Number], All);
  std::vector<std::byte> Unpacked;
  if (isPacked(Found))
    Found = Unpacked = unpacked(Found, All, Most);
  if (Found.empty())
    return Error{fmt::format("{}: rank {} is incomplete in it; read the rank's "
                             "own profile, where it ran",
                             Path, Rank)};
  return OpenProfile{std::move(*File), Found, {}, std::move(Unpacked)};
}
} // namespace

Result<OpenProfile> loopscope::openProfileBytes(const std::string &Path) {
  Result<OpenProfile> Opened = openWhole(Path);
  if (!Opened)
    return Opened;
  std::vector<std::byte> Last = dividePart(Opened->Bytes, Path, Opened->Parts);
  if (!Last.empty()) {
    Opened->Made = std::move(Last);
    Opened->Bytes = Opened->Made;
  }
  return Opened;
}

std::shared_ptr<const OpenFile>
loopscope::fileOfBytes(const OpenProfile &Opened, const std::string &Path) {
  if (Opened.Bytes.data() != Opened.File.bytes().data())
    return nullptr;
  Result<OpenFile> File = OpenFile::open(Path);
  if (!File || File->identity() != Opened.File.identity())
    return nullptr;
  return std::make_shared<const OpenFile>(std::move(*File));
}

std::optional<loopscope_profile_header>
loopscope::headerAt(const std::string &Path) {
  std::error_code Failed; // opening a pipe would wait for its writer
  if (!isMember(Path) && !std::filesystem::is_regular_file(Path, Failed))
    return std::nullopt;
  Result<OpenProfile> Opened = openWhole(Path, LOOPSCOPE_PROFILE_PAGE);
  if (!Opened || Opened->Bytes.size() < LOOPSCOPE_PROFILE_PAGE)
    return std::nullopt;
  return copyFrom<loopscope_profile_header>(Opened->Bytes, 0);
}

bool loopscope::isProfile(const loopscope_profile_header &Header) {
  return std::memcmp(Header.magic, LOOPSCOPE_PROFILE_MAGIC,
                     sizeof(Header.magic)) == 0;
}

Result<std::vector<std::string>>
loopscope::memberPaths(const std::string &Path) {
  std::error_code Failed; // opening a pipe would wait for its writer
  if (!std::filesystem::is_regular_file(Path, Failed))
    return std::vector{Path};
  Result<MappedFile> File = MappedFile::open(Path);
  if (!File || !isMerged(File->bytes()))
    return std::vector{Path}; // what reads it says why it can't
  Result<std::vector<Member>> Members = membersOf(File->bytes(), Path);
  if (!Members)
    return Members.error();
  std::vector<std::string> Paths;
  for (size_t I = 0; I < Members->size(); ++I)
    if (!bytesOf((*Members)[I], File->bytes()).empty())
      Paths.push_back(fmt::format("{}:{}", Path, I));
  if (Paths.empty())
    return Error{fmt::format("{}: no rank is complete in it; read the ranks' "
                             "own profiles, where they ran",
                             Path)};
  return Paths;
}

std::vector<std::string>
loopscope::withoutCopies(std::vector<std::string> Paths) {
  if (std::none_of(Paths.begin(), Paths.end(), isMember))
    return Paths;
  std::set<Identity> Own;
  auto IdentityAt = [](const std::string &Path) {
    std::error_code Failed;
    if (!isMember(Path) && !std::filesystem::is_regular_file(Path, Failed))
      return Identity{};
    Result<OpenProfile> Opened = openWhole(Path, LOOPSCOPE_PROFILE_PAGE);
    return Opened ? identityOf(Opened->Bytes) : Identity{};
  };
  for (const std::string &Each : Paths)
    if (!isMember(Each))
      Own.insert(IdentityAt(Each));
  std::erase_if(Paths, [&](const std::string &Each) {
    return isMember(Each) && Own.contains(IdentityAt(Each));
  });
  return Paths;
}

std::string loopscope::mergedFile(const std::vector<Bytes> &Profiles) {
  loopscope_merged_header Header{};
  std::memcpy(Header.magic, LOOPSCOPE_MERGED_MAGIC, sizeof(Header.magic));
  Header.version_major = LOOPSCOPE_PROFILE_VERSION_MAJOR;
  Header.version_minor = LOOPSCOPE_PROFILE_VERSION_MINOR;
  Header.members = static_cast<uint32_t>(Profiles.size());
  Header.member_size = sizeof(Member);
  Header.header_size = static_cast<uint32_t>(profile_copy::wholePages(
      sizeof(Header) + Profiles.size() * sizeof(Member)));
  std::string File(Header.header_size, '\0');
  std::memcpy(File.data(), &Header, sizeof(Header));
  for (size_t I = 0; I < Profiles.size(); ++I) {
    if (Profiles[I].empty())
      continue;
    Member Next{File.size(), 0, 0, 0};
    appendCopy(Profiles[I], Profiles.size(), File);
    Next.size = Next.arrived = File.size() - Next.offset;
    std::memcpy(File.data() + sizeof(Header) + I * sizeof(Member), &Next,
                sizeof(Next));
  }
  return File;
}
