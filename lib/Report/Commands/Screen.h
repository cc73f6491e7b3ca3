// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text that is drawn again and again in the same place of a terminal.

#ifndef LOOPSCOPE_REPORT_COMMANDS_SCREEN_H
#define LOOPSCOPE_REPORT_COMMANDS_SCREEN_H

#include <cstddef>
#include <string>

namespace loopscope {

/// A terminal's rows and columns; 0: it doesn't say, there is no limit.
struct ScreenSize {
  size_t Rows = 0;
  size_t Columns = 0;
  bool operator==(const ScreenSize &) const = default;
};

/// The size of the terminal behind standard output.
ScreenSize screenSize();

/// TEXT as such a screen shows it whole, the cursor below it: no line is longer
/// than the screen is wide (escape sequences take no room), and where there are
/// more lines than rows, the last one says how many were left out.
std::string fitToScreen(const std::string &Text, ScreenSize Size);

/// LINE, whose parts stand two blanks apart, on as many lines as WIDTH asks
/// for; on one where WIDTH is 0.
std::string wrapParts(const std::string &Line, size_t Width);

/// The place on the terminal behind standard output. Draws below the cursor
/// first, then over what it drew before; from the top of an emptied screen
/// after the terminal's size has changed, since nobody knows where the old text
/// went.
class Screen {
public:
  /// From here on a change of the terminal's size and a continuation after a
  /// stop end a sleep early.
  Screen();

  /// Draws TEXT, as much of it as fits.
  void draw(const std::string &Text);
  /// Draws all of TEXT, for the last time.
  void finish(const std::string &Text);
  /// Whether the text has to be drawn again though it is the same.
  bool isDisturbed() const;

private:
  void drawOver(const std::string &Text);

  ScreenSize Drawn;
  size_t Lines = 0; ///< of the text drawn last
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_SCREEN_H
