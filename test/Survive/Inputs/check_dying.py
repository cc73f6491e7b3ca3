"""Kills a program whose threads get almost no CPU, and reads its profile at once.

usage: check_dying.py PROGRAM PROFILE

It takes a while to end, and isn't running meanwhile.
"""
import contextlib
import os
import re
import signal
import subprocess
import sys
import time

program, profile = sys.argv[1:]
processor = min(os.sched_getaffinity(0))
with subprocess.Popen([program], env=dict(os.environ, LOOPSCOPE=f"report=none,output={profile}"), stdout=subprocess.PIPE,
                      preexec_fn=lambda: os.sched_setaffinity(0, {processor})) as process:
    process.stdout.readline()
    for thread in os.listdir(f"/proc/{process.pid}/task"):
        with contextlib.suppress(PermissionError):  # then it ends sooner
            os.sched_setscheduler(int(thread), os.SCHED_IDLE, os.sched_param(0))
    with subprocess.Popen([sys.executable, "-c", "while True: pass"],
                          preexec_fn=lambda: os.sched_setaffinity(0, {processor})) as other:
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
            print(re.search("State:.*", file.read()).group())
        found = subprocess.run(["loopscope", "report", profile], check=True, capture_output=True, text=True).stdout
        other.kill()
    print(found)
    assert "The run did not end by exit()" in found
