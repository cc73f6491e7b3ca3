// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each member of the object is a fact, unless its value is none.

#include "file.h"

#include "base/memory.h"
#include "base/system.h"
#include "json.h"
#include "kept.h"
#include "process/facts.h"

#include <sys/mman.h>

using namespace loopscope::runtime;

namespace {
constexpr size_t MostBytes = size_t(64) << 10;

// Members whose values are no facts, and the first of them.
struct LeftOut {
  int64_t Count;
  char First[64];
};
LeftOut Nested; // zeroed memory: constructors haven't run yet

void keepMember(const JsonMember &Each) {
  switch (Each.Is) {
  case JsonMember::Text:
    return keepFact(
        {Each.Name.Bytes, LOOPSCOPE_FACT_TEXT, 0, Each.Value.Bytes});
  case JsonMember::Number:
    return keepFact(
        {Each.Name.Bytes, LOOPSCOPE_FACT_NUMERAL, 0, Each.Value.Bytes});
  case JsonMember::True:
  case JsonMember::False:
    return keepFact({Each.Name.Bytes, LOOPSCOPE_FACT_BOOL,
                     Each.Is == JsonMember::True ? 1U : 0U, ""});
  case JsonMember::Other:
    if (Nested.Count++ == 0)
      copyHead(Nested.First, sizeof(Nested.First), Each.Name.Bytes);
  }
}

void readFrom(const char *Json, size_t Length, Text &Why) {
  if (Length == 0)
    Why << "can't be read, is empty or isn't a file; its facts are left out";
  else if (Length >= MostBytes)
    Why << "has more than 65535 bytes; its facts are left out";
  else if (!readJsonObject(Json, Length, keepMember, Why))
    Why << "; its facts are left out. A facts file is a JSON object, such as "
           "{\"batch\": 64, \"optimizer\": \"adam\"}";
  else if (Nested.Count != 0)
    Why << Nested.Count << (Nested.Count == 1 ? " value is" : " values are")
        << " left out, beginning with that of '" << Nested.First
        << "': facts are numbers, texts, true and false";
}
} // namespace

void loopscope::runtime::readFacts(const char *File) {
  auto *Json = static_cast<char *>(mapMemory(MostBytes + 1));
  TextBuffer<400> Why;
  if (Json == nullptr) {
    Why << "no memory to read it";
  } else {
    readFrom(Json, readRegularFile(File, Json, MostBytes + 1), Why);
    munmap(Json, MostBytes + 1);
  }
  if (Why.size() == 0 || Process.Rank.Index > 0)
    return;
  TextBuffer<1024> Line;
  Line << "LOOPSCOPE: facts=" << File << ": " << Why.c_str();
  warn(Line.c_str());
}
