// Small helpers over libc that neither allocate nor fail loudly: text into
// fixed buffers, whole small files, one line on stderr.
#pragma once

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

/// Writes "loopscope: MESSAGE" and a newline to stderr, in one write.
void say(const char *Message);

/// Copies a string into a fixed field; when it is too long, its end, led by
/// "...".
void copyTail(char *Field, size_t Size, const char *String);
/// Copies a string into a fixed field; when it is too long, its beginning.
void copyHead(char *Field, size_t Size, const char *String);

/// A number that is the whole of STRING; false when it isn't one.
bool parseNumber(const char *String, int64_t &Number);

} // namespace loopscope::runtime
