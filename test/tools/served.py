"""Runs `loopscope view` while something looks at what it serves.

usage: served.py OPTIONS-AND-FILES... -- PROGRAM ARGUMENTS...

The program gets the page's address in place of each argument ADDRESS. Then SIGINT
ends the server; exits with the program's code, or 1 if the server's isn't 0.
"""
import signal
import subprocess
import sys


class Server:
    """`loopscope view` with ARGUMENTS, for a with statement."""

    def __init__(self, arguments, **options):
        self.process = subprocess.Popen(["loopscope", "view", *arguments], stdout=subprocess.PIPE, text=True, **options)
        self.address = self.process.stdout.readline().strip()
        self.code = None

    def __enter__(self):
        return self

    def stop(self, number=signal.SIGINT):
        """Ends it; returns its exit code."""
        self.process.send_signal(number)
        self.code = self.process.wait(60)
        return self.code

    def __exit__(self, *_):
        if self.code is None:
            self.process.kill()
            self.process.wait()


def main():
    split = sys.argv.index("--")
    with Server(sys.argv[1:split]) as server:
        command = [server.address if word == "ADDRESS" else word for word in sys.argv[split + 1:]]
        code = subprocess.run(command, check=False).returncode
        if server.stop() != 0:
            print("the server ended with", server.code)
            return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
