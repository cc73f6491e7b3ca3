"""Runs a command once for each kind of target of an output option.

    output-targets.py [--input FILE]... [--makes-directories] [--wrote] -- COMMAND...

{} in COMMAND stands for the target. --input: files that COMMAND reads and must not
replace. --wrote: COMMAND prints the name of the file that it wrote. Each target must
get the same bytes as a new file and keep its kind, or stay unchanged with a one-line
error; nothing else may be left behind. Prints the kinds tried; exits 1 after printing
what was wrong.
"""
import argparse
import contextlib
import os
import resource
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading

OLD = b"old content\n"
TIMEOUT = 60


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--input", action="append", default=[])
    parser.add_argument("--makes-directories", action="store_true")
    parser.add_argument("--wrote", action="store_true")
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


ARGS = parse_arguments()
problems = []
kinds = []


def run(target, **options):
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([word.replace("{}", target) for word in ARGS.command],
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          timeout=TIMEOUT, **options)


def expect(condition, what):
    if not condition:
        problems.append("%s: %s" % (kinds[-1], what))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data=OLD, mode=0o644):
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, mode)


def expect_written(done):
    error = done.stderr.decode()
    expect(done.returncode == 0, "exit code %d, %r" % (done.returncode, error))
    # On a busy machine, a late reader may be waited for.
    expect(error.count("\n") == error.count("is a FIFO without a reader"),
           "messages %r" % error)


def expect_quiet(done, target, is_file):
    wanted = "wrote %s\n" % target if ARGS.wrote and is_file else ""
    expect(done.stdout.decode() == wanted, "standard output %r" % done.stdout[:80])


def expect_error(done, target):
    error = done.stderr.decode()
    # For loopscope, 1 means a regression; compilers and the rewriter use only 1.
    wanted = 2 if os.path.basename(ARGS.command[0]) == "loopscope" else 1
    expect(done.returncode == wanted, "exit code %d, %r" % (done.returncode, error))
    expect(error.count("\n") == 1 and target in error, "message %r" % error)


@contextlib.contextmanager
def kind(name, *leaves):
    """A fresh working directory, which must contain LEAVES at the end."""
    kinds.append(name)
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        try:
            yield
            left = sorted(os.listdir("."))
            expect(left == sorted(leaves), "%s left behind" % left)
        except Exception as failure:  # still try the other kinds
            expect(False, repr(failure))
        finally:
            os.chdir(before)


def mode_of(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


ARGS.input = [os.path.abspath(path) for path in ARGS.input]
ARGS.command = [os.path.abspath(word) if os.path.exists(word) else word
                for word in ARGS.command]
os.umask(0o027)

with kind("new file", "out"):
    first = run("out")
    expect_written(first)
    expect_quiet(first, "out", True)
    wanted = read("out")
    expect(mode_of("out") == 0o640, "mode %o" % mode_of("out"))
    expect(wanted != b"", "nothing in it")

long_name = "o" * 255
with kind("new file with the longest name", long_name):
    expect_written(run(long_name))
    expect(read(long_name) == wanted, "other content")

with kind("directory that isn't there", *(["gone"] if ARGS.makes_directories else [])):
    done = run("gone/out")
    if ARGS.makes_directories:
        expect_written(done)
        expect(read("gone/out") == wanted, "other content")
    else:
        expect_error(done, "gone/out")

with kind("file", "out", "other-name"):
    write("out", mode=0o4751)
    os.link("out", "other-name")
    done = run("out")
    expect_written(done)
    expect_quiet(done, "out", True)
    expect(read("out") == wanted, "other content")
    expect(mode_of("out") == 0o751, "mode %o" % mode_of("out"))
    expect(read("other-name") == OLD, "the other name's content changed")

with kind("file on a full disk", "out"):
    write("out")
    def limit():
        # Python ignores SIGXFSZ, and its children inherit that: write() fails.
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
    expect_error(run("out", preexec_fn=limit, restore_signals=False), "out")
    expect(read("out") == OLD, "content changed")

with kind("read-only file", "out"):
    write("out", mode=0o440)
    done = run("out")
    if os.access("out", os.W_OK):  # root
        expect_written(done)
        expect(read("out") == wanted, "other content")
    else:
        expect_error(done, "out")
        expect(read("out") == OLD, "content changed")
    expect(mode_of("out") == 0o440, "mode %o" % mode_of("out"))

with kind("directory", "out"):
    os.mkdir("out")
    expect_error(run("out"), "out")
    expect(os.listdir("out") == [], "something in it")

with kind("file as a directory", "out"):
    write("out")
    expect_error(run("out/file"), "out/file")
    expect(read("out") == OLD, "content changed")

with kind("link to a file", "link", "files"):
    os.mkdir("files")
    write("files/real", mode=0o600)
    os.symlink("files/between", "link")
    os.symlink("real", "files/between")
    expect_written(run("link"))
    expect(os.readlink("link") == "files/between", "the link changed")
    expect(sorted(os.listdir("files")) == ["between", "real"], os.listdir("files"))
    expect(os.readlink("files/between") == "real", "the second link changed")
    expect(read("files/real") == wanted, "other content")
    expect(mode_of("files/real") == 0o600, "mode %o" % mode_of("files/real"))

if (os.access("/dev/shm", os.W_OK) and
        os.stat("/dev/shm").st_dev != os.stat(tempfile.gettempdir()).st_dev):
    with kind("link to another file system", "link"):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
            write(elsewhere + "/real")
            os.symlink(elsewhere + "/real", "link")
            expect_written(run("link"))
            expect(os.path.islink("link"), "the link is gone")
            expect(os.listdir(elsewhere) == ["real"], os.listdir(elsewhere))
            expect(read(elsewhere + "/real") == wanted, "other content")

with kind("link to nothing", "link", "made"):
    os.symlink("made", "link")
    expect_written(run("link"))
    expect(os.path.islink("link") and not os.path.islink("made"), "the link is gone")
    expect(read("made") == wanted, "other content")

with kind("link to itself", "link"):
    os.symlink("link", "link")
    expect_error(run("link"), "link")

with kind("FIFO", "fifo"):
    os.mkfifo("fifo")
    got = []
    reader = threading.Thread(target=lambda: got.append(read("fifo")), daemon=True)
    reader.start()
    done = run("fifo")
    reader.join(5)
    expect_written(done)
    expect_quiet(done, "fifo", False)
    expect(got == [wanted], "other content")
    expect(stat.S_ISFIFO(os.stat("fifo").st_mode), "no FIFO any more")

with kind("FIFO without a reader at first", "fifo", "link"):
    os.mkfifo("fifo")
    os.symlink("fifo", "link")
    with subprocess.Popen([word.replace("{}", "link") for word in ARGS.command],
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE) as waiting:
        note = waiting.stderr.readline().decode()
        expect("note: 'link' is a FIFO without a reader" in note, "message %r" % note)
        expect(waiting.poll() is None, "it doesn't wait")
        expect(read("fifo") == wanted, "other content")
        expect(waiting.wait(TIMEOUT) == 0, "exit code %r" % waiting.returncode)
        expect(waiting.stderr.read() == b"", "more messages")

with kind("FIFO whose reader leaves", "fifo"):
    os.mkfifo("fifo")
    threading.Thread(target=lambda: os.close(os.open("fifo", os.O_RDONLY)),
                     daemon=True).start()
    expect(run("fifo").returncode == 0, "an error")

with kind("socket", "socket"):
    server = socket.socket(socket.AF_UNIX)
    server.bind("socket")
    expect_error(run("socket"), "socket")
    expect(stat.S_ISSOCK(os.stat("socket").st_mode), "no socket any more")

# Never the real devices as root: a faulty tool would replace them.
for name, minor in (("null", 3), ("full", 7)):
    try:
        with kind("device " + name, name, "link"):
            os.symlink(name, "link")
            os.mknod(name, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
            open(name, "wb").close()  # forbidden on file systems mounted nodev
            for target in (name, "link"):
                done = run(target)
                if name == "null":
                    expect_written(done)
                    expect_quiet(done, target, False)
                else:
                    expect_error(done, target)
                    expect("No space left" in done.stderr.decode(), done.stderr)
                expect(stat.S_ISCHR(os.stat(name).st_mode), "no device any more")
    except PermissionError:
        pass
    if problems and "PermissionError" in problems[-1]:
        problems.pop()
        kinds.pop()
        if os.geteuid() != 0:
            with kind("/dev/" + name):
                done = run("/dev/" + name)
                if name == "null":
                    expect_written(done)
                else:
                    expect_error(done, "/dev/full")

# Use the real /dev/stdout only if it can't be replaced.
for target in ("-", "stdout", "link", "/dev/fd/1", "/proc/self/fd/1",
               *(["/dev/stdout"] if os.geteuid() != 0 else [])):
    with kind("standard output as " + target, "appended", "begun", "link", "stdout"):
        os.symlink("/proc/self/fd/1", "stdout")  # like the one in /dev
        os.symlink("stdout", "link")
        done = run(target)
        expect_written(done)
        expect(done.stdout == wanted, "other content in a pipe")
        write("appended")
        with open("appended", "ab") as file:
            expect_written(run(target, stdout=file))
        expect(read("appended") == OLD + wanted, "other content in a file appended to")
        with open("begun", "wb") as file:
            file.write(OLD)
            file.flush()
            expect_written(run(target, stdout=file))
            file.write(OLD)
        expect(read("begun") == OLD + wanted + OLD, "other content in a file")
        done = run(target, stdout=open("/dev/full", "wb"))
        expect_error(done, "standard output" if target == "-" else target)
        expect(os.path.islink("stdout") and os.path.islink("link"), "a link is gone")

for target in ("/dev/fd/%d", "/proc/self/fd/%d"):
    with kind("descriptor as " + target, "begun"):
        with open("begun", "wb") as file:
            file.write(OLD)
            file.flush()
            expect_written(run(target % file.fileno(), pass_fds=[file.fileno()]))
        expect(read("begun") == OLD + wanted, "other content")
        expect_error(run(target % 97), target % 97)

with kind("file named -", "-"):
    expect_written(run("./-"))
    expect(read("-") == wanted, "other content")

for path in ARGS.input:
    with kind("its own input", "hard", "link"):
        before = read(path)
        os.symlink(path, "link")
        try:
            os.link(path, "hard")
        except OSError:
            shutil.copy(path, "hard")
        for target in (path, "link", *(["hard"] if os.path.samefile(path, "hard") else [])):
            expect_error(run(target), target)
            expect(read(path) == before, "it changed")

for line in problems:
    print(line)
print("%d kinds" % len(kinds))
sys.exit(1 if problems else 0)
