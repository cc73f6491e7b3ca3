// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes documents.

#include "Report/Commands/Output.h"

#include "Support/Message.h"

#include <fmt/format.h>
#include <loopscope/profile_format.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <langinfo.h>
#include <string_view>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>

using namespace loopscope;

namespace {
// Nobody means to replace a profile by a table, but `-o *.loopscope` would.
bool isProfileFile(const std::string &Path) {
  constexpr std::string_view Magic = LOOPSCOPE_PROFILE_MAGIC;
  std::error_code Failed; // opening a FIFO would wait for its writer
  if (!std::filesystem::is_regular_file(Path, Failed))
    return false;
  std::string Start(Magic.size(), '\0');
  std::ifstream File(Path, std::ios::binary);
  return File.read(Start.data(), static_cast<std::streamsize>(Start.size())) &&
         Start == Magic;
}

// The environment variable NAME; empty if it isn't set.
std::string_view variable(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

// As https://no-color.org and https://bixense.com/clicolors say.
bool outputHasColours() {
  if (!variable("NO_COLOR").empty())
    return false;
  std::string_view Forced = variable("CLICOLOR_FORCE");
  if (!Forced.empty() && Forced != "0")
    return true;
  std::string_view Kind = variable("TERM");
  return isatty(STDOUT_FILENO) && !Kind.empty() && Kind != "dumb" &&
         variable("CLICOLOR") != "0";
}

size_t outputWidth() {
  if (const char *Columns = std::getenv("COLUMNS"))
    if (long Width = std::strtol(Columns, nullptr, 10); Width > 0)
      return static_cast<size_t>(Width);
  winsize Size{};
  bool IsKnown =
      isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) == 0;
  return IsKnown ? Size.ws_col : 0;
}
} // namespace

void loopscope::printError(const std::string &Message) {
  printMessage("error", Message);
}

int loopscope::fail(const std::string &Message) {
  printError(Message);
  return Failure;
}

void loopscope::printWarning(const std::string &Message) {
  printMessage("warning", Message);
}

void loopscope::printNote(const std::string &Message) {
  printMessage("note", Message);
}

Terminal loopscope::terminalOf(const std::string &Path,
                               const TextRequest &Asked) {
  bool IsOutput = isStandardOutput(Path);
  Terminal Result;
  Result.Style = Asked.Style;
  Result.Width = Asked.Width.value_or(IsOutput ? outputWidth() : 0);
  Result.Colours = Asked.Colours == ColourChoice::Auto
                       ? IsOutput && outputHasColours()
                       : Asked.Colours == ColourChoice::Always;
  std::setlocale(LC_CTYPE, "");
  Result.Utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  return Result;
}

std::optional<Written>
loopscope::writeOutput(const std::string &Text, const std::string &Path,
                       const std::vector<std::string> &Inputs, Existing There) {
  auto Fail = [](const std::string &Why) {
    printError(Why);
    return std::nullopt;
  };
  bool IsInput = isProfileFile(Path);
  for (const std::string &Input : Inputs)
    IsInput |= isSameFile(Path, Input);
  if (IsInput && There != Existing::Refuse)
    return Fail(fmt::format(
        "cannot write '{}': it is one of the inputs; name another file", Path));
  Result<Written> Done = writeOutputFile(Path, Text, There);
  if (!Done)
    return Fail(Done.error().Message);
  return *Done;
}
