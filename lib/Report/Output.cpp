// Writing of documents.
#include "Report/Output.h"

#include <fmt/format.h>

#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace loopscope;

namespace {
bool writeAll(int Fd, const std::string &Text) {
  for (size_t Done = 0; Done < Text.size();) {
    ssize_t Count = write(Fd, Text.data() + Done, Text.size() - Done);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0)
      return false;
    Done += static_cast<size_t>(Count);
  }
  return true;
}

bool fail(const std::string &Path, const char *What) {
  printError(fmt::format("{}: {}: {}", Path, What, strerror(errno)));
  return false;
}

bool replaceFile(const std::string &Text, const std::string &Path) {
  std::string Temporary = Path + ".XXXXXX";
  int Fd = mkostemp(Temporary.data(), 0);
  if (Fd < 0)
    return fail(Path, "cannot create");
  mode_t Mask = umask(0);
  umask(Mask);
  bool Written = writeAll(Fd, Text) && fchmod(Fd, 0666 & ~Mask) == 0;
  Written &= close(Fd) == 0;
  if (Written && rename(Temporary.c_str(), Path.c_str()) == 0)
    return true;
  fail(Path, "cannot write");
  unlink(Temporary.c_str());
  return false;
}
} // namespace

void loopscope::printError(const std::string &Message) {
  fmt::print(stderr, "loopscope: error: {}\n", Message);
}

Terminal loopscope::fileTerminal() {
  Terminal Result;
  std::setlocale(LC_CTYPE, "");
  Result.Utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  return Result;
}

Terminal loopscope::outputTerminal() {
  Terminal Result = fileTerminal();
  const char *Kind = std::getenv("TERM");
  const char *NoColour = std::getenv("NO_COLOR");
  Result.Colours = isatty(STDOUT_FILENO) && Kind != nullptr &&
                   std::strcmp(Kind, "dumb") != 0 &&
                   (NoColour == nullptr || *NoColour == '\0');
  if (const char *Columns = std::getenv("COLUMNS")) {
    long Width = std::strtol(Columns, nullptr, 10);
    if (Width > 0) {
      Result.Width = static_cast<size_t>(Width);
      return Result;
    }
  }
  winsize Size{};
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) == 0)
    Result.Width = Size.ws_col;
  return Result;
}

bool loopscope::writeOutput(const std::string &Text, const std::string &Path) {
  if (!Path.empty())
    return replaceFile(Text, Path);
  if (writeAll(STDOUT_FILENO, Text) || errno == EPIPE)
    return true;
  return fail("standard output", "cannot write");
}
