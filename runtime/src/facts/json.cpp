// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By RFC 8259. Two passes: the first one only looks for errors.

#include "json.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
using Visitor = void (*)(const JsonMember &Each);

// Objects and arrays inside each other.
constexpr uint32_t MostNested = 64;

class Parser {
public:
  Parser(const char *Json, size_t Length, Visitor Visit)
      : Begin(Json), At(Json), End(Json + Length), Visit(Visit) {}

  bool readObject();
  void describe(Text &Why) const;

private:
  bool fail(const char *What) {
    if (Error == nullptr)
      Error = What;
    return false;
  }
  void skipSpace() {
    while (At != End &&
           (*At == ' ' || *At == '\t' || *At == '\n' || *At == '\r'))
      ++At;
  }
  bool take(char C) {
    skipSpace();
    if (At == End || *At != C)
      return false;
    ++At;
    return true;
  }
  bool isDigit() const { return At != End && *At >= '0' && *At <= '9'; }
  bool takeDigits() {
    if (!isDigit())
      return fail("a digit is missing");
    while (isDigit())
      ++At;
    return true;
  }
  bool takeWord(const char *Word) {
    size_t Length = strlen(Word);
    if (static_cast<size_t>(End - At) < Length ||
        strncmp(At, Word, Length) != 0)
      return fail("a value is missing, or isn't JSON");
    At += Length;
    return true;
  }
  bool readHex(uint32_t &Code);
  bool readEscape(Text &Into);
  bool readString(Text &Into);
  bool readNumber();
  bool readScalar(JsonMember &Into);
  bool skipNested();
  bool readMember(JsonMember &Into);

  const char *Begin, *At, *End;
  Visitor Visit; // null: none
  const char *Error = nullptr;
};

// A character in UTF-8.
void append(uint32_t Code, Text &Into) {
  constexpr uint32_t Replacement = 0xfffd;
  if (Code == 0 || (Code >= 0xd800 && Code < 0xe000))
    Code = Replacement;
  char Bytes[4];
  size_t Length = Code < 0x80 ? 1 : Code < 0x800 ? 2 : Code < 0x10000 ? 3 : 4;
  for (size_t I = Length; I-- > 1; Code >>= 6)
    Bytes[I] = static_cast<char>(0x80 | (Code & 0x3f));
  constexpr uint8_t First[] = {0, 0, 0xc0, 0xe0, 0xf0};
  Bytes[0] = static_cast<char>(First[Length] | Code);
  Into.append(Bytes, Length);
}
} // namespace

void Parser::describe(Text &Why) const {
  int64_t Line = 1;
  for (const char *Each = Begin; Each != At; ++Each)
    Line += *Each == '\n';
  Why << "line " << Line << ": " << Error;
}

bool Parser::readHex(uint32_t &Code) {
  Code = 0;
  for (int I = 0; I < 4; ++I, ++At) {
    char C = At == End ? 0 : *At;
    bool IsDigit = C >= '0' && C <= '9';
    char Low = static_cast<char>(C | 0x20);
    if (!IsDigit && (Low < 'a' || Low > 'f'))
      return fail("\\u needs four hexadecimal digits");
    Code =
        Code * 16 + static_cast<uint32_t>(IsDigit ? C - '0' : Low - 'a' + 10);
  }
  return true;
}

// Behind the backslash.
bool Parser::readEscape(Text &Into) {
  constexpr const char *Letters = "\"\\/bfnrt";
  constexpr const char *Meant = "\"\\/\b\f\n\r\t";
  char C = At == End ? 0 : *At;
  const char *Found = C == 0 ? nullptr : strchr(Letters, C);
  if (Found != nullptr) {
    ++At;
    Into << Meant[Found - Letters];
    return true;
  }
  if (C != 'u')
    return fail("a backslash before a character that needs none");
  ++At;
  uint32_t Code = 0;
  if (!readHex(Code))
    return false;
  bool IsPair = Code >= 0xd800 && Code < 0xdc00 && End - At >= 2 &&
                At[0] == '\\' && At[1] == 'u';
  if (IsPair) {
    const char *Second = At;
    At += 2;
    uint32_t Low = 0;
    if (!readHex(Low))
      return false;
    if (Low >= 0xdc00 && Low < 0xe000)
      Code = 0x10000 + ((Code - 0xd800) << 10) + (Low - 0xdc00);
    else
      At = Second;
  }
  append(Code, Into);
  return true;
}

bool Parser::readString(Text &Into) {
  if (!take('"'))
    return fail("a name in quotes is missing");
  while (At != End && *At != '"') {
    if (static_cast<unsigned char>(*At) < 0x20)
      return fail("a string has a control character, or no end");
    if (*At != '\\')
      Into << *At++;
    else if (++At; !readEscape(Into))
      return false;
  }
  return take('"') || fail("a string has no end");
}

bool Parser::readNumber() {
  if (At != End && *At == '-')
    ++At;
  if (At != End && *At == '0')
    ++At;
  else if (!takeDigits())
    return false;
  if (At != End && *At == '.')
    if (++At; !takeDigits())
      return false;
  if (At == End || (*At != 'e' && *At != 'E'))
    return true;
  ++At;
  if (At != End && (*At == '+' || *At == '-'))
    ++At;
  return takeDigits();
}

// A value that isn't an object or array.
bool Parser::readScalar(JsonMember &Into) {
  skipSpace();
  char C = At == End ? 0 : *At;
  Text Value(Into.Value.Bytes, sizeof(Into.Value.Bytes));
  if (C == '"') {
    Into.Is = JsonMember::Text;
    bool IsRead = readString(Value);
    Into.Value.IsCut = Value.isCut();
    return IsRead;
  }
  if (C == 't' || C == 'f') {
    Into.Is = C == 't' ? JsonMember::True : JsonMember::False;
    return takeWord(C == 't' ? "true" : "false");
  }
  Into.Is = JsonMember::Other;
  if (C == 'n')
    return takeWord("null");
  if (C != '-' && !isDigit())
    return fail("a value is missing, or isn't JSON");
  const char *First = At;
  Into.Is = JsonMember::Number;
  if (!readNumber())
    return false;
  Value.append(First, static_cast<size_t>(At - First));
  Into.Value.IsCut = Value.isCut();
  return true;
}

// An object or array, without recursion.
bool Parser::skipNested() {
  uint64_t IsObject = 0; // by depth, the innermost in the lowest bit
  uint32_t Depth = 0;
  JsonMember Ignored;
  do {
    char Close = IsObject & 1 ? '}' : ']';
    bool IsFirst = Depth == 0;
    if (!IsFirst && take(Close)) {
      IsObject >>= 1;
      --Depth;
    } else {
      if (!IsFirst && (IsObject & 1) != 0) {
        Text Name(Ignored.Name.Bytes, sizeof(Ignored.Name.Bytes));
        if (!readString(Name) || !(take(':') || fail("':' is missing")))
          return false;
      }
      bool Opens = take('{');
      if (Opens || take('[')) {
        if (++Depth > MostNested)
          return fail("objects and arrays are nested more than 64 deep");
        IsObject = IsObject << 1 | (Opens ? 1 : 0);
        continue;
      }
      if (!readScalar(Ignored))
        return false;
    }
    // Behind a value: another one, or the end of what it is in.
    if (Depth != 0 && !take(',')) {
      skipSpace();
      if (At == End || *At != (IsObject & 1 ? '}' : ']'))
        return fail("',' or a closing bracket is missing");
    } else if (Depth != 0) {
      skipSpace();
      if (At != End && (*At == '}' || *At == ']'))
        return fail("a value is missing after ','");
    }
  } while (Depth != 0);
  return true;
}

bool Parser::readMember(JsonMember &Into) {
  Text Name(Into.Name.Bytes, sizeof(Into.Name.Bytes));
  if (!readString(Name) || !(take(':') || fail("':' is missing")))
    return false;
  Into.Name.IsCut = Name.isCut();
  skipSpace();
  bool IsNested = At != End && (*At == '{' || *At == '[');
  if (IsNested)
    Into.Is = JsonMember::Other;
  return IsNested ? skipNested() : readScalar(Into);
}

bool Parser::readObject() {
  if (!take('{'))
    return fail("it doesn't begin with '{'");
  bool IsEmpty = take('}');
  while (!IsEmpty) {
    JsonMember Next;
    if (!readMember(Next))
      return false;
    if (Visit != nullptr)
      Visit(Next);
    if (take('}'))
      break;
    if (!take(','))
      return fail("',' or '}' is missing");
  }
  skipSpace();
  return At == End || fail("there is something after the object");
}

bool loopscope::runtime::readJsonObject(const char *Json, size_t Length,
                                        Visitor Visit, Text &Why) {
  Parser First(Json, Length, nullptr);
  if (!First.readObject()) {
    First.describe(Why);
    return false;
  }
  return Parser(Json, Length, Visit).readObject();
}
