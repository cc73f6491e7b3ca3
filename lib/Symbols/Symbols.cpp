// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The best source of names for each object.

#include "Symbols/Symbols.h"

#include "Symbols/Demangle.h"
#include "Symbols/Dwarf.h"
#include "Symbols/ElfFile.h"

#include "Support/Printable.h"

#include <optional>

using namespace loopscope;

struct Symbols::Object {
  ObjectState State = ObjectState::Missing;
  std::unique_ptr<Dwarf> Debug;
  std::optional<ElfFile> File;
  std::map<uint64_t, std::vector<SourceFrame>> Known;
};

Symbols::Symbols() = default;
Symbols::~Symbols() = default;
Symbols::Symbols(Symbols &&) noexcept = default;
Symbols &Symbols::operator=(Symbols &&) noexcept = default;

Symbols::Object &Symbols::objectOf(const std::string &Path,
                                   const std::string &BuildId) {
  std::unique_ptr<Object> &Found = Objects[{Path, BuildId}];
  if (Found)
    return *Found;
  Found = std::make_unique<Object>();
  Found->File = ElfFile::read(Path);
  if (!Found->File)
    return *Found;
  if (Found->File->buildId() != BuildId) {
    Found->State = ObjectState::Changed;
    return *Found;
  }
  Found->State = ObjectState::Same;
  Found->Debug = Dwarf::open(Path);
  return *Found;
}

ObjectState Symbols::stateOf(const std::string &Path,
                             const std::string &BuildId) {
  return objectOf(Path, BuildId).State;
}

std::vector<SourceFrame> Symbols::framesAt(const std::string &Path,
                                           const std::string &BuildId,
                                           uint64_t Address) {
  Object &Of = objectOf(Path, BuildId);
  if (Of.State != ObjectState::Same)
    return {SourceFrame()};
  auto [Found, IsNew] = Of.Known.try_emplace(Address);
  std::vector<SourceFrame> &Frames = Found->second;
  if (!IsNew)
    return Frames;
  if (Of.Debug)
    Frames = Of.Debug->framesAt(Address);
  if (Frames.empty())
    Frames.emplace_back();
  if (Frames.back().Function.empty()) {
    std::string Symbol = Of.Debug ? Of.Debug->symbolAt(Address) : "";
    if (Symbol.empty())
      Symbol = Of.File->functionAt(Address);
    Frames.back().Function = withoutTypes(demangled(Symbol));
    if (Symbol.empty())
      Frames.back().Start = Of.File->frameStart(Address);
  }
  for (SourceFrame &Each : Frames)
    for (std::string *Text : {&Each.Function, &Each.File, &Each.LineFile})
      *Text = printable(*Text);
  return Frames;
}
