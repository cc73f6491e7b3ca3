// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Redraws a text in place on a terminal.

#ifndef LOOPSCOPE_REPORT_COMMANDS_SCREEN_H
#define LOOPSCOPE_REPORT_COMMANDS_SCREEN_H

#include <cstddef>
#include <string>

namespace loopscope {

/// A terminal's rows and columns; 0 if unknown, so without a limit.
struct ScreenSize {
  size_t Rows = 0;
  size_t Columns = 0;
  bool operator==(const ScreenSize &) const = default;
};

/// The size of the terminal behind standard output.
ScreenSize screenSize();

/// \p Text cut to fit such a screen, with the cursor below it: no line is
/// longer than the screen is wide (escape sequences take no room), and if there
/// are more lines than rows, the last one says how many were left out.
std::string fitToScreen(const std::string &Text, ScreenSize Size);

/// \p Line, whose parts are separated by two blanks, on as many lines as \p
/// Width requires; on one if \p Width is 0.
std::string wrapParts(const std::string &Line, size_t Width);

/// An area of the terminal behind standard output. Draws below the cursor
/// first, then over what it drew before. After the terminal's size has changed
/// it clears the screen, because nobody knows where the old text went.
class Screen {
public:
  /// From now on, a change of the terminal's size and a continuation after a
  /// stop end a sleep early.
  Screen();

  /// Draws as much of \p Text as fits.
  void draw(const std::string &Text);
  /// Draws all of \p Text, for the last time.
  void finish(const std::string &Text);
  /// Whether the text has to be redrawn although it is the same.
  bool isDisturbed() const;

private:
  void drawOver(const std::string &Text);

  ScreenSize Drawn;
  size_t Lines = 0; ///< of the text drawn last
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_SCREEN_H
