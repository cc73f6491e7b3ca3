// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where pages are written, and how they are opened.

#include "Report/Commands/OpenPage.h"

#include "Report/Commands/Output.h"
#include "Report/Commands/Program.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace loopscope {

namespace {

// A temporary place for a page without a name.
Result<std::string> temporaryPage(const char *Name) {
  const char *Directory = std::getenv("TMPDIR");
  std::string Path = fmt::format("{}/loopscope-XXXXXX",
                                 Directory && *Directory ? Directory : "/tmp");
  if (mkdtemp(Path.data()) == nullptr)
    return Error{fmt::format("--open: can't make {}: {}; name a file with -o",
                             Path, std::strerror(errno))};
  return fmt::format("{}/{}", Path, Name);
}

} // namespace

Result<std::string> placeOfPage(const std::string &Named, bool Open,
                                Format Asked, const char *Name) {
  if (Open && Asked != Format::Html && Asked != Format::Text)
    return Error{"--open: only --format html makes a page to open"};
  if (!isStandardOutput(Named))
    return Named;
  if (Open)
    return temporaryPage(Name);
  if (isatty(STDOUT_FILENO))
    return Error{fmt::format("--format html: a terminal can't show a page; "
                             "name a file, like -o {}",
                             Name)};
  return Named;
}

bool openPage(const std::string &Path) {
  const char *Chosen = std::getenv("BROWSER");
  std::string Browser = Chosen ? Chosen : "";
  // The variable may list several, separated by colons.
  Browser = Browser.substr(0, Browser.find(':'));
  if (Browser.empty())
    Browser = "xdg-open";
  fmt::print(stderr, "loopscope: the page is {}\n", Path);
  if (waitForProgram({Browser, Path}).Status == 0)
    return true;
  printError(fmt::format("--open: {} didn't open the page; set BROWSER, or "
                         "open the file by hand",
                         Browser));
  return false;
}

} // namespace loopscope
