// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main thread's stack ends below what the kernel passes to the program, and
// nothing is mapped close below it. Another thread's ends below its thread
// control block, which libc puts at the top of its stack's mapping.

#include "own_stack.h"

#include "stack_pointer.h"
#include "thread_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
// The kernel keeps at least this much free below the main thread's stack.
constexpr uintptr_t MainStackGap = 128U << 20;

// Reads /proc/self/maps character by character, in blocks.
class MapsReader {
public:
  MapsReader() : File(open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {}
  ~MapsReader() {
    if (File >= 0)
      close(File);
  }
  MapsReader(const MapsReader &) = delete;
  MapsReader &operator=(const MapsReader &) = delete;

  /// The next character; -1 at the end.
  int next() {
    if (At == Used) {
      ssize_t Got = File < 0 ? 0 : read(File, Block, sizeof(Block));
      if (Got <= 0)
        return -1;
      Used = static_cast<uint32_t>(Got);
      At = 0;
    }
    return static_cast<unsigned char>(Block[At++]);
  }

private:
  int File;
  uint32_t At = 0;
  uint32_t Used = 0;
  char Block[1024];
};

// The number that READER is at, and in AFTER the character that follows it.
uintptr_t readHex(MapsReader &Reader, int &After) {
  uintptr_t Value = 0;
  for (;;) {
    After = Reader.next();
    int Digit = After >= '0' && After <= '9'   ? After - '0'
                : After >= 'a' && After <= 'f' ? After - 'a' + 10
                                               : -1;
    if (Digit < 0)
      return Value;
    Value = Value << 4 | static_cast<uintptr_t>(Digit);
  }
}

// Where the mapping that has ADDRESS begins; 0 if that can't be read.
uintptr_t mappingBegin(uintptr_t Address) {
  MapsReader Reader;
  int After = 0;
  do {
    uintptr_t Begin = readHex(Reader, After);
    uintptr_t End = After == '-' ? readHex(Reader, After) : 0;
    if (Address >= Begin && Address < End)
      return Begin;
    while (After >= 0 && After != '\n')
      After = Reader.next();
  } while (After >= 0);
  return 0;
}
} // namespace

uintptr_t StackRange::addressOf(uint32_t Mark) const {
  constexpr uintptr_t Low32 = UINT32_MAX;
  uintptr_t Address = (High & ~Low32) | Mark;
  return Address < High ? Address : Address - Low32 - 1;
}

StackRange loopscope::runtime::ownStack(bool IsMain) {
  if (IsMain) {
    uintptr_t High = getauxval(AT_RANDOM);
    return {High < MainStackGap ? 0 : High - MainStackGap, High};
  }
  uintptr_t High = threadPointer();
  if (High == 0)
    return {0, 0};
  ThreadMemory *Memory = ownMemory();
  if (Memory == nullptr)
    return {0, 0};
  if (Memory->StackLow == 0) {
    int Saved = errno;
    uintptr_t Low = mappingBegin(High);
    Memory->StackLow = Low == 0 ? High : Low;
    errno = Saved;
  }
  return {Memory->StackLow, High};
}

bool loopscope::runtime::isFrameLeft(const void *Frame, bool IsMain) {
  auto Here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  auto There = reinterpret_cast<uintptr_t>(Frame);
  StackRange Stack = ownStack(IsMain);
  return Stack.has(Here) && Stack.has(There) && Here > There;
}
