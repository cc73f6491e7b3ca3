"""Watches profiles in a terminal of a given size, and emulates its screen.

    terminal.py RUNNING ENDED

RUNNING and ENDED are profiles of one run, before and after its end. `loopscope watch`
is started on the first in a terminal of 40 columns and 12 rows, which is then made
larger and smaller; it is stopped and continued; finally the run ends. Prints the screen
at each point, in a frame, and the lines that scrolled out since it was last cleared.
Waits for redraws, never for a time.
"""
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import sys
import termios

PID_OFFSET = 24  # of pid in loopscope_profile_header


class Terminal:
    """The few control sequences that `watch` uses, on a screen that scrolls."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines = [""] * rows
        self.row = self.column = 0
        self.gone = []
        self.draws = 0  # complete ones
        self.whole = ([], [])  # lines that scrolled out, and lines after the last complete drawing
        self.pending = ""

    def resize(self, rows, columns):
        """Like xterm: lines that don't fit are cut off."""
        lost = max(0, self.row - rows + 1)
        self.gone += self.lines[:lost]
        self.lines = [line[:columns] for line in self.lines[lost:lost + rows]]
        self.lines += [""] * (rows - len(self.lines))
        self.row, self.column = self.row - lost, min(self.column, columns - 1)
        self.rows, self.columns = rows, columns

    def newline(self):
        if self.row + 1 < self.rows:
            self.row += 1
            return
        self.gone.append(self.lines.pop(0))
        self.lines.append("")

    def put(self, character):
        if self.column == self.columns:
            self.newline()
            self.column = 0
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
        self.column += 1

    def sequence(self, number, letter):
        if letter in "AH":  # the next drawing begins
            self.draws += 1
            self.whole = (list(self.gone), list(self.lines))
        if letter == "A":
            self.row = max(0, self.row - int(number))
        elif letter == "H":
            self.row = self.column = 0
        elif letter == "J" and number == "2":
            self.lines = [""] * self.rows
            self.gone = []
        elif letter == "J":
            self.lines[self.row] = self.lines[self.row][:self.column]
            self.lines[self.row + 1:] = [""] * (self.rows - self.row - 1)
        else:
            sys.exit(f"unknown control sequence {number}{letter}")

    def write(self, text):
        text = self.pending + text
        tail = re.search("\033(\\[[0-9]*)?$", text)
        self.pending = tail.group() if tail else ""
        text = text[:len(text) - len(self.pending)]
        for number, letter, character in re.findall(
                "\033\\[([0-9]*)([A-Za-z])|(.)", text, re.DOTALL):
            if letter:
                self.sequence(number, letter)
            elif character == "\n":
                self.newline()
            elif character == "\r":
                self.column = 0
            else:
                self.put(character)


class Watched:
    """`loopscope watch` on a terminal."""

    def __init__(self, profile, rows, columns):
        self.screen = Terminal(rows, columns)
        self.file, other = pty.openpty()
        self.set_size(rows, columns)
        self.child = os.fork()
        if self.child == 0:
            os.environ.pop("COLUMNS", None)
            os.close(self.file)
            os.login_tty(other)
            os.execvp("loopscope", ["loopscope", "watch", "--interval", "0.05", profile])
        os.close(other)

    def set_size(self, rows, columns):
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self):
        """Reads available output; false at the end."""
        ready, _, _ = select.select([self.file], [], [], 60)
        if not ready:
            sys.exit("loopscope watch writes no more")
        try:
            data = os.read(self.file, 65536)
        except OSError:
            data = b""
        self.screen.write(data.decode())
        return bool(data)

    def wait_for_draws(self, count):
        goal = self.screen.draws + count
        while self.screen.draws < goal:
            if not self.read():
                sys.exit("loopscope watch ended too early")

    def resize(self, rows, columns):
        self.screen.resize(rows, columns)
        self.set_size(rows, columns)

    def stop_and_continue(self, written):
        """WRITTEN is a shell's output meanwhile."""
        os.kill(self.child, signal.SIGSTOP)
        os.waitpid(self.child, os.WUNTRACED)
        while select.select([self.file], [], [], 0)[0]:
            self.read()
        self.screen.write(written)
        os.kill(self.child, signal.SIGCONT)

    def show(self, title, gone, lines):
        print(f"== {title}")
        for line in gone:
            print(f"gone |{line}")
        print("+" + "-" * self.screen.columns + "+")
        for line in lines:
            print("|" + line.ljust(self.screen.columns) + "|")

    def show_whole(self, title, draws):
        """Shows the screen after the given number of further drawings."""
        self.wait_for_draws(draws)
        self.show(title, *self.screen.whole)


def running(profile):
    """Makes the profile belong to a process that is alive: this one."""
    with open(profile, "r+b") as stream:
        stream.seek(PID_OFFSET)
        stream.write(struct.pack("<i", os.getpid()))


def main():
    profile, ended = sys.argv[1:]
    running(profile)
    watched = Watched(profile, 12, 40)
    watched.show_whole("small", 3)
    watched.resize(8, 30)
    watched.show_whole("smaller", 4)
    watched.resize(26, 80)
    watched.show_whole("large", 4)
    watched.stop_and_continue("$ fg\r\n")
    watched.show_whole("continued", 2)
    shutil.copy(ended, profile + ".new")
    os.rename(profile + ".new", profile)
    while watched.read():
        pass
    watched.show("ended", watched.screen.gone, watched.screen.lines)
    _, status = os.waitpid(watched.child, 0)
    print("exit", os.waitstatus_to_exitcode(status))


main()
