// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Escape sequences: ECMA-48's cursor up, erase below, home, erase all.

#include "Report/Commands/Screen.h"

#include "Report/Print/Elide.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace loopscope;

namespace {
// Set when the process continues after a stop: the shell has written meanwhile.
volatile std::sig_atomic_t WasStopped = 0;

void onWindowChange(int /*Signal*/) {}
void onContinue(int /*Signal*/) { WasStopped = 1; }

// Without SA_RESTART, so that sleeps end early.
void handle(int Signal, void (*Handler)(int)) {
  struct sigaction Action{};
  Action.sa_handler = Handler;
  sigemptyset(&Action.sa_mask);
  sigaction(Signal, &Action, nullptr);
}

// The end of the escape sequence that starts at AT: "\033[", numbers, a letter.
size_t sequenceEnd(const std::string &Line, size_t At) {
  size_t End = At + 1;
  if (End < Line.size() && Line[End] == '[')
    ++End;
  while (End < Line.size() && (Line[End] < '@' || Line[End] > '~'))
    ++End;
  return std::min(End + 1, Line.size());
}

// The first COLUMNS columns of LINE; resets colours at its end.
std::string cutLine(const std::string &Line, size_t Columns) {
  size_t Shown = 0;
  bool HasColours = false;
  for (size_t At = 0; At < Line.size();) {
    if (Line[At] == '\033') {
      At = sequenceEnd(Line, At);
      HasColours = true;
      continue;
    }
    if (startsCodePoint(Line[At]) && Shown++ == Columns)
      return Line.substr(0, At) + (HasColours ? "\033[0m" : "");
    ++At;
  }
  return Line;
}

size_t countLines(const std::string &Text) {
  return static_cast<size_t>(std::count(Text.begin(), Text.end(), '\n'));
}
} // namespace

ScreenSize loopscope::screenSize() {
  winsize Size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) != 0)
    return {};
  return {Size.ws_row, Size.ws_col};
}

std::string loopscope::fitToScreen(const std::string &Text, ScreenSize Size) {
  size_t Lines = countLines(Text);
  // The cursor needs the last row.
  size_t Room = Size.Rows == 0 ? Lines : std::max<size_t>(Size.Rows - 1, 1);
  size_t Kept = Lines <= Room ? Lines : Room - 1;
  std::string Result;
  auto Append = [&](const std::string &Line) {
    Result += Size.Columns == 0 ? Line : cutLine(Line, Size.Columns);
    Result += '\n';
  };
  size_t At = 0;
  for (size_t I = 0; I < Kept; ++I) {
    size_t End = Text.find('\n', At);
    Append(Text.substr(At, End - At));
    At = End + 1;
  }
  if (Kept < Lines)
    Append(fmt::format("({} more lines in a taller terminal)", Lines - Kept));
  return Result;
}

std::string loopscope::wrapParts(const std::string &Line, size_t Width) {
  constexpr size_t Gap = 2;
  std::string Result;
  size_t Used = 0;
  for (size_t At = 0; At <= Line.size();) {
    size_t End = std::min(Line.find("  ", At), Line.size());
    std::string Part = Line.substr(At, End - At);
    At = End + Gap;
    size_t Wide = displayWidth(Part);
    bool Fits = Width == 0 || Used + Gap + Wide <= Width;
    if (Used != 0)
      Result += Fits ? "  " : "\n";
    Result += Part;
    Used = Used != 0 && Fits ? Used + Gap + Wide : Wide;
  }
  return Result;
}

Screen::Screen() {
  handle(SIGWINCH, onWindowChange);
  handle(SIGCONT, onContinue);
}

void Screen::drawOver(const std::string &Text) {
  ScreenSize Now = screenSize();
  std::string Place;
  if (WasStopped)
    WasStopped = 0; // below what the shell wrote
  else if (Lines != 0 && Now != Drawn)
    Place = "\033[H\033[2J";
  else if (Lines != 0)
    Place = fmt::format("\033[{}A\r\033[J", Lines);
  std::string All = Place + Text;
  std::fwrite(All.data(), 1, All.size(), stdout);
  std::fflush(stdout);
  Drawn = Now;
  Lines = countLines(Text);
}

void Screen::draw(const std::string &Text) {
  drawOver(fitToScreen(Text, screenSize()));
}

void Screen::finish(const std::string &Text) { drawOver(Text); }

bool Screen::isDisturbed() const { return WasStopped || screenSize() != Drawn; }
