// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks the tree; the standard library copies.

#include "Report/Commands/SourceCopy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
constexpr size_t MostFiles = 100'000;

bool isLeftOut(const fs::path &Path) {
  constexpr std::string_view VersionControl[] = {".git", ".hg", ".svn"};
  return std::ranges::count(VersionControl, Path.filename().string()) != 0 ||
         Path.extension() == ".loopscope";
}

// Whether a compiler or linker made it: ELF, archives, LLVM's bitcode.
bool isBuilt(const fs::path &Path) {
  std::ifstream Stream(Path, std::ios::binary);
  std::array<char, 8> Begin{};
  Stream.read(Begin.data(), Begin.size());
  std::string_view Text(Begin.data(), static_cast<size_t>(Stream.gcount()));
  return Text.starts_with("\177ELF") || Text.starts_with("!<arch>\n") ||
         Text.starts_with("!<thin>\n") || Text.starts_with("BC\xc0\xde");
}

class Copier {
public:
  Copier(fs::path From, fs::path To, fs::path Without, uintmax_t LargeFile)
      : From(std::move(From)), To(std::move(To)), Without(std::move(Without)),
        LargeFile(LargeFile), New(fs::file_time_type::clock::now()),
        Old(New - std::chrono::hours(24)) {}

  std::optional<Error> run() {
    std::error_code Why;
    fs::create_directories(To, Why);
    if (Why)
      return Error{
          fmt::format("cannot create {}: {}", To.string(), Why.message())};
    fs::recursive_directory_iterator At(
        From, fs::directory_options::skip_permission_denied, Why);
    for (fs::recursive_directory_iterator Past; !Why && At != Past;
         At.increment(Why)) {
      if (At->path() == Without || isLeftOut(At->path())) {
        At.disable_recursion_pending();
        continue;
      }
      if (++Files > MostFiles)
        return Error{fmt::format("{} has more than {} files; give the folder "
                                 "of the program's sources with --source",
                                 From.string(), MostFiles)};
      copy(*At, Why);
    }
    if (Why)
      return Error{
          fmt::format("cannot copy {}: {}", From.string(), Why.message())};
    return std::nullopt;
  }

private:
  void copy(const fs::directory_entry &Each, std::error_code &Why) {
    fs::path Target = To / Each.path().lexically_relative(From);
    if (Each.is_symlink(Why)) {
      copyLink(Each.path(), Target, Why);
    } else if (Each.is_directory(Why)) {
      fs::create_directory(Target, Each.path(), Why);
    } else if (Each.is_regular_file(Why)) {
      if (Each.file_size(Why) > LargeFile)
        return fs::create_symlink(Each.path(), Target, Why);
      fs::copy_file(Each.path(), Target, Why);
      if (!Why)
        fs::last_write_time(Target, isBuilt(Target) ? Old : New, Why);
    }
  }

  // A link that leads out of the tree leads to the same place.
  void copyLink(const fs::path &Link, const fs::path &Target,
                std::error_code &Why) const {
    fs::path Leads = fs::read_symlink(Link, Why);
    fs::path There = (Link.parent_path() / Leads).lexically_normal();
    bool IsInside =
        There.lexically_relative(From).native().substr(0, 2) != "..";
    if (!Why)
      fs::create_symlink(IsInside && Leads.is_relative() ? Leads : There,
                         Target, Why);
  }

  fs::path From, To, Without;
  uintmax_t LargeFile;
  fs::file_time_type New, Old;
  size_t Files = 0;
};
} // namespace

std::optional<Error> loopscope::copySources(const fs::path &From,
                                            const fs::path &To,
                                            const fs::path &Without,
                                            uintmax_t LargeFile) {
  return Copier(From, To, Without, LargeFile).run();
}
