# Debian packages that Loopscope is built and tested with, and how to get them;
# sourced by tool/demo.sh and test/run.sh. POSIX sh.

# What everything needs, what the rewriter needs, what the tests need, what the
# HTML page and its tests need; what only the tests of --all need: of fish's
# completion and of another processor (70 MB to fetch), of packages, Meson and Bazel;
# what only people run: the bench's peers and callgrind (docs/performance.md), the
# terminal of docs/watch.sh.
loopscope_build_packages='cmake ninja-build g++ gcc libfmt-dev libcli11-dev nlohmann-json3-dev libsqlite3-dev libsimdjson-dev libdeflate-dev zlib1g-dev'
loopscope_llvm_packages='llvm-22-dev libclang-22-dev libclang-cpp22-dev clang-22 libzstd-dev'
# script, unshare and setpriv, and mount are missing in the smallest images.
loopscope_test_packages='make patch python3 libgtest-dev bsdutils util-linux mount iproute2 musl-tools'
loopscope_lit_packages='llvm-22-tools libomp-22-dev libclang-rt-22-dev'
loopscope_page_packages='npm chromium'
loopscope_bench_packages='uftrace valgrind libclang-rt-22-dev'
loopscope_cross_packages='g++-aarch64-linux-gnu qemu-user fish'
loopscope_packaging_packages='lintian meson pkg-config bazel-bootstrap bazel-platforms bazel-rules-java bazel-rules-proto'
loopscope_docs_packages='tmux'
loopscope_style_packages='clang-format-22 clang-tidy-22'

# Prints "loopscope: MESSAGE" on stderr.
loopscope_say() {
  echo "loopscope: $*" >&2
}

# Prints those of the packages given that are not installed.
loopscope_missing() {
  for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
    [ "$state" = installed ] || printf ' %s' "$package"
  done
}

# Prints those of the packages given that the system has no program of: each is
# named like its program, which may have come from elsewhere.
loopscope_without_program() {
  for package in "$@"; do
    command -v "$package" >/dev/null || printf ' %s' "$package"
  done
}

# Whether the system is Debian 12 or one made from it.
loopscope_supported() {
  [ -r /etc/os-release ] || return 1
  case $(. /etc/os-release && echo "$ID ${ID_LIKE:-} ${VERSION_CODENAME:-}") in
  *debian*bookworm*) return 0 ;;
  esac
  return 1
}

# One line on why apt-get, whose output is in the file $1, failed.
loopscope_apt_error() {
  if grep -Eq 'Temporary failure resolving|Could not (resolve|connect)|Connection (failed|timed out)|Network is unreachable' "$1"; then
    echo "Debian's package servers can't be reached: is there a network?"
  elif grep -Eq '^E: Unable to locate package (llvm|lib(clang|omp)|clang)' "$1"; then
    echo "LLVM 22 comes with Debian's security updates, which apt doesn't read here: add the line 'deb http://deb.debian.org/debian-security bookworm-security main' to /etc/apt/sources.list"
  else
    grep -m 1 '^E:' "$1" || tail -n 1 "$1"
  fi
}

# Says on stderr, every few seconds for as long as the log $1 of apt-get is
# there, how far it is; in place on a terminal.
loopscope_watch_apt() {
  start= end='\n' pause=15
  [ ! -t 2 ] || { start='\r' end='\033[K' pause=2; }
  while sleep $pause >/dev/null 2>&1 && [ -e "$1" ] && kill -0 $$ 2>/dev/null; do
    all=$(sed -n 's/.* \([0-9]*\) newly installed.*/\1/p' "$1" 2>/dev/null)
    [ -n "$all" ] || continue
    printf "$start  of $all packages: %s fetched, %s unpacked, %s set up$end" \
      $(for done in Get: Unpacking 'Setting up'; do
        sed -n '/newly installed/,$p' "$1" 2>/dev/null | grep -c "^$done" || :
      done) >&2
  done
}

# Says once that nothing is installed here.
loopscope_go_on() {
  [ -n "${loopscope_told:-}" ] ||
    loopscope_say "this isn't Debian 12: going on with what is installed; CMake says what is missing"
  loopscope_told=1
}

# How the system that /etc/os-release names installs what CMake needs to begin.
loopscope_install_line() {
  case $(. /etc/os-release 2>/dev/null && echo " $ID ${ID_LIKE:-} ") in
  *' fedora '* | *' rhel '*) echo 'dnf install cmake ninja-build gcc gcc-c++' ;;
  *' arch '*) echo 'pacman -S cmake ninja gcc' ;;
  *' alpine '*) echo 'apk add cmake ninja gcc g++ musl-dev' ;;
  *' suse '*) echo 'zypper install cmake ninja gcc gcc-c++' ;;
  *' debian '* | *' ubuntu '*) echo 'apt-get install cmake ninja-build gcc g++' ;;
  *) echo 'install cmake, ninja, gcc and g++' ;;
  esac
}

# Names in one line what is missing of CMake, compilers and the other programs
# given, and returns 1; CMake itself names the libraries.
loopscope_need() {
  without=
  command -v "${CC:-cc}" >/dev/null || command -v gcc >/dev/null ||
    command -v clang >/dev/null || without=', a C compiler'
  command -v "${CXX:-c++}" >/dev/null || command -v g++ >/dev/null ||
    command -v clang++ >/dev/null || without="$without, a C++ compiler"
  for program in cmake "$@"; do
    command -v "$program" >/dev/null || without="$without, $program"
  done
  [ -n "$without" ] || return 0
  loopscope_say "can't build without ${without#, }; on this system: $(loopscope_install_line)${*:+ $*}"
  return 1
}

# CMake's option for the generator: Ninja if it is installed, in a new build.
loopscope_generator() {
  [ -e "$1/CMakeCache.txt" ] || ! command -v ninja >/dev/null || echo -GNinja
}

# Whether there is an LLVM that the rewriter can be built with.
loopscope_has_llvm() {
  for config in llvm-config-22 llvm-config-23 llvm-config-21 llvm-config-20 llvm-config; do
    version=$($config --version 2>/dev/null) || continue
    [ "${version%%.*}" -lt 20 ] || return 0
  done
  return 1
}

# Installs those of the packages given that are missing; asks for nothing when
# all are there. Says in one line why it can't and returns 1. On systems other
# than Debian 12 nothing is installed, and that is no failure.
loopscope_install() {
  command -v dpkg-query >/dev/null || {
    loopscope_go_on
    return 0
  }
  missing=$(loopscope_missing "$@")
  [ -n "$missing" ] || return 0
  loopscope_supported || {
    loopscope_go_on
    return 0
  }
  as_root=
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || {
      loopscope_say "packages are missing, and this is neither root nor is there sudo; as root: apt-get install$missing"
      return 1
    }
    as_root=sudo
  fi
  apt_log=$(mktemp) || return 1
  echo "Installing$missing" >&2
  loopscope_watch_apt "$apt_log" &
  watcher=$!
  # One update serves all calls. $missing is a list of words. What apt-get says
  # is read, so it is in English.
  result=1
  if { [ -n "${loopscope_updated:-}" ] || $as_root env LC_ALL=C apt-get -q update; } >"$apt_log" 2>&1 &&
    $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q install -y \
      --no-install-recommends $missing >>"$apt_log" 2>&1 </dev/null; then
    loopscope_updated=1
    result=0
  fi
  kill $watcher 2>/dev/null || :
  wait $watcher 2>/dev/null || :
  [ ! -t 2 ] || printf '\r\033[K' >&2
  [ $result = 0 ] ||
    loopscope_say "couldn't install$missing: $(loopscope_apt_error "$apt_log")"
  rm -f "$apt_log"
  return $result
}
