"""A control group, of version 1 or 2, that limits its processes to part of a processor.

usage: quota.py    exits with 0 if one can be made here
"""
import os
import sys


class Group:
    """Limits to PERCENT of one processor. Raises OSError if no group can be made."""

    def __init__(self, percent):
        name = f"loopscope-test-{os.getpid()}"
        quota = str(percent * 1000)
        if os.path.isdir("/sys/fs/cgroup/cpu"):
            self.path, limit = "/sys/fs/cgroup/cpu/" + name, ("cpu.cfs_quota_us", quota)
        else:
            self.path, limit = "/sys/fs/cgroup/" + name, ("cpu.max", quota + " 100000")
        os.mkdir(self.path)
        try:
            self.write(*limit)
        except OSError:
            self.remove()
            raise

    def write(self, name, text):
        # Never create a missing file.
        with open(os.path.join(self.path, name), "r+", encoding="ascii") as file:
            file.write(text)

    def enter(self):
        """Moves the calling process into the group."""
        self.write("cgroup.procs", "0")

    def remove(self):
        os.rmdir(self.path)


if __name__ == "__main__":
    try:
        Group(50).remove()
    except OSError as error:
        sys.exit(str(error))
