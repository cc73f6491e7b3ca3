// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small helpers over libc that neither allocate nor abort: text in fixed
// buffers, whole small files, one line on stderr.

#ifndef LOOPSCOPE_BASE_SYSTEM_H
#define LOOPSCOPE_BASE_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// Text in a fixed buffer, always NUL-terminated; excess text is cut off, and
/// that is remembered.
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

/// Reads at most SIZE - 1 bytes of a file and adds a NUL. Returns the number of
/// bytes, 0 if the file can't be read.
size_t readFile(const char *Path, char *Buffer, size_t Size);

/// The same for regular files only, so that it never waits for a writer.
size_t readRegularFile(const char *Path, char *Buffer, size_t Size);

/// Reads the first line of a file that IS_WANTED, of fewer than SIZE bytes.
/// False: there is none.
bool findLine(const char *Path, char *Line, size_t Size,
              bool (*IsWanted)(const char *Line));

/// Remembers which standard streams are open. If one is closed at start, the
/// next file that the program opens gets its descriptor, and must not receive
/// our messages. Call before main.
void readStandardStreams();

/// Whether STREAM (STDOUT_FILENO, STDERR_FILENO) was open at start.
bool isStream(int Stream);

/// Writes once, with signals for a closed reader or the file's size limit
/// suppressed; unwritten data is dropped.
void writeQuietly(int File, const char *Data, size_t Size);

/// Closes FILE and returns a descriptor of the same file above the standard
/// streams' numbers; -1 if FILE is -1 or none is free.
int aboveStreams(int File, int Flags);

/// Writes "loopscope: MESSAGE" and a newline to stderr, in one write.
void warn(const char *Message);

/// Copies a string into a fixed field; if it is too long, "..." and its end.
void copyTail(char *Field, size_t Size, const char *String);
/// Copies a string into a fixed field; if it is too long, its beginning.
void copyHead(char *Field, size_t Size, const char *String);

/// Parses STRING as one number; false if it isn't one.
bool parseNumber(const char *String, int64_t &Number);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_SYSTEM_H
