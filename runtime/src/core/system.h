// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small helpers over libc that neither allocate nor fail loudly: text into
// fixed buffers, whole small files, one line on stderr.

#ifndef LOOPSCOPE_CORE_SYSTEM_H
#define LOOPSCOPE_CORE_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// Text in a fixed buffer, always NUL-terminated; what doesn't fit is cut off
/// and remembered.
class Text {
public:
  Text(char *Buffer, size_t Size) : Buffer(Buffer), Size(Size) {
    Buffer[0] = 0;
  }
  Text &operator<<(const char *String);
  Text &operator<<(char C);
  Text &operator<<(int64_t Number);
  /// Appends LENGTH bytes of STRING.
  Text &append(const char *String, size_t Length);
  void clear() {
    Used = 0;
    Cut = false;
    Buffer[0] = 0;
  }
  const char *c_str() const { return Buffer; }
  size_t size() const { return Used; }
  bool isCut() const { return Cut; }

private:
  char *Buffer;
  size_t Size;
  size_t Used = 0;
  bool Cut = false;
};

/// A Text with its own buffer.
template <size_t N> class TextBuffer : public Text {
public:
  TextBuffer() : Text(Storage, N) {}

private:
  char Storage[N];
};

/// Reads at most SIZE - 1 bytes of a file and ends them with NUL. Gives the
/// number of bytes, 0 when the file cannot be read.
size_t readFile(const char *Path, char *Buffer, size_t Size);

/// Remembers which of the standard streams are open. A descriptor that is
/// closed when the program starts becomes that of the next file that it opens,
/// which must get no words of ours. Before main.
void readStandardStreams();

/// Whether STREAM (STDOUT_FILENO, STDERR_FILENO) was open then.
bool isStream(int Stream);

/// Writes once, without a signal if the reader is gone or the file at its size
/// limit; what can't be written is dropped.
void writeQuietly(int File, const char *Data, size_t Size);

/// A descriptor of the same file as FILE, which is closed, that is none of the
/// standard streams'; -1 if FILE is that or there is none.
int aboveStreams(int File, int Flags);

/// Writes "loopscope: MESSAGE" and a newline to stderr, in one write.
void warn(const char *Message);

/// SIZE bytes of zeroed memory of their own, until munmap; null where there is
/// none.
void *mapMemory(size_t Size);
/// The same for what is mostly never touched: only what is touched counts.
void *reserveMemory(size_t Size);

/// Copies a string into a fixed field; when it is too long, its end, led by
/// "...".
void copyTail(char *Field, size_t Size, const char *String);
/// Copies a string into a fixed field; when it is too long, its beginning.
void copyHead(char *Field, size_t Size, const char *String);

/// A number that is the whole of STRING; false when it isn't one.
bool parseNumber(const char *String, int64_t &Number);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_SYSTEM_H
