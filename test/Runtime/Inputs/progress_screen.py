"""Runs a command on a terminal of 6 lines of 40 columns and shows its screen.

usage: progress_screen.py COMMAND...

Prints the last screen with the progress line, in a frame, and then all lines of the
terminal at the end, including those that scrolled away.
"""
import fcntl
import os
import pty
import re
import struct
import sys
import termios

ROWS, COLUMNS = 6, 40
TOKEN = re.compile(r"\x1b\[[0-9]*[A-Za-z]|\x1b[78DM]|.", re.DOTALL)


class Screen:
    """The part of a terminal that the progress line uses."""

    def __init__(self):
        self.gone, self.lines = [], [""] * ROWS
        self.row = self.column = 0
        self.saved = (0, 0)

    def down(self):
        if self.row + 1 < ROWS:
            self.row += 1
            return
        self.gone.append(self.lines.pop(0))
        self.lines.append("")

    def put(self, character):
        if self.column == COLUMNS:
            self.column = 0
            self.down()
        line = self.lines[self.row].ljust(COLUMNS)
        self.lines[self.row] = (line[:self.column] + character + line[self.column + 1:]).rstrip()
        self.column += 1

    def take(self, token):
        if token == "\r":
            self.column = 0
        elif token in ("\n", "\x1bD"):
            self.down()
        elif token == "\x1bM":
            self.row = max(0, self.row - 1)
        elif token == "\x1b[2B":
            self.row = min(ROWS - 1, self.row + 2)
        elif token == "\x1b7":
            self.saved = (self.row, self.column)
        elif token == "\x1b8":
            self.row, self.column = self.saved
        elif token == "\x1b[J":
            self.lines[self.row] = self.lines[self.row][:self.column]
            self.lines[self.row + 1:] = [""] * (ROWS - self.row - 1)
        elif token[0] == "\x1b":
            sys.exit(f"unknown control sequence {token!r}")
        else:
            self.put(token)


child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        more = os.read(terminal, 65536)
    except OSError:
        break
    if not more:
        break
    text += more
_, status = os.waitpid(child, 0)
screen, seen = Screen(), []
for token in TOKEN.findall(text.decode()):
    screen.take(token)
    if token == "\x1b8":
        seen = list(screen.lines)
for line in seen:
    print(f"|{line.ljust(COLUMNS)}|")
for line in screen.gone + screen.lines:
    print(line)
sys.exit(os.waitstatus_to_exitcode(status))
