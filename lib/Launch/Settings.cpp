//===- Settings.cpp - The launcher's own options and parts ----------------===//

#include "Launch/Settings.h"

#include <filesystem>
#include <fmt/format.h>

namespace loopscope::launch {

Result<std::size_t> readSettings(const std::vector<std::string> &Words,
                                 Settings &S) {
  std::size_t Count = 0;
  for (; Count < Words.size() && Words[Count].starts_with("-"); ++Count) {
    const std::string &Word = Words[Count];
    if (Word == "--on-error=fail")
      S.Passthrough = false;
    else if (Word == "--on-error=passthrough")
      S.Passthrough = true;
    else if (Word == "--no-link")
      S.Link = false;
    else if (Word == "--link")
      S.Link = true;
    else if (Word == "--keep")
      S.Keep = true;
    else if (Word == "--verbose")
      S.Verbose = true;
    else if (Word == "--help" || Word == "-h")
      S.Help = true;
    else if (Word == "--version")
      S.Version = true;
    else
      return Error{fmt::format(
          "unknown option '{}'; known are --on-error=fail|passthrough, "
          "--no-link, --link, --keep, --verbose, --version and --help, and the "
          "compiler comes behind them",
          Word)};
  }
  return Count;
}

Result<Parts> findParts() {
  namespace fs = std::filesystem;
  std::error_code Why;
  fs::path Self = fs::read_symlink("/proc/self/exe", Why);
  if (Why)
    return Error{
        fmt::format("cannot find this program's own file: {}", Why.message())};
  fs::path Bin = Self.parent_path();
  fs::path Prefix = (Bin / LOOPSCOPE_PREFIX_FROM_BIN).lexically_normal();
  fs::path Installed = Prefix / LOOPSCOPE_INCLUDEDIR;
  Parts P;
  P.Rewriter = (Bin / "loopscope-rewrite").string();
  P.Report = (Bin / "loopscope").string();
  if (fs::exists(Installed / "loopscope" / "hooks.h", Why)) {
    P.Include = Installed.string();
    P.Library = (Prefix / LOOPSCOPE_LIBDIR / "libloopscope.a").string();
  } else {
    P.Include = LOOPSCOPE_SOURCE_INCLUDE_DIR;
    P.Library =
        (Bin / ".." / "lib" / "libloopscope.a").lexically_normal().string();
  }
  if (!fs::exists(P.Include + "/loopscope/hooks.h", Why))
    return Error{fmt::format("no loopscope/hooks.h in {} or {}; install "
                             "Loopscope completely",
                             Installed.string(), P.Include)};
  return P;
}

} // namespace loopscope::launch
