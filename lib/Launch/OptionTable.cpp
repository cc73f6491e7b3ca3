// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The forms and meanings of compiler options.

#include "Launch/OptionTable.h"

#include "Launch/OptionSpecs.h"

namespace loopscope::launch {
namespace {

/// The longest of SPECS that matches WORD, or null.
const Spec *match(std::span<const Spec> Specs, std::string_view Word) {
  const Spec *Best = nullptr;
  for (const Spec &Each : Specs) {
    if (!Word.starts_with(Each.Name))
      continue;
    std::string_view Rest = Word.substr(Each.Name.size());
    bool Fits = Rest.empty() || (Each.Forms & (Joined | Any)) != 0 ||
                ((Each.Forms & Equals) != 0 && Rest.front() == '=');
    // An option that needs "=" doesn't match without it.
    if (Rest.empty() && Each.Forms == Equals)
      Fits = false;
    if (Fits && (!Best || Each.Name.size() > Best->Name.size()))
      Best = &Each;
  }
  return Best;
}

/// nvcc passes some options to the host compiler, whose table has their
/// meaning.
unsigned usesOf(const Spec *Found, std::string_view Name) {
  if (Found && Found->Uses != 0)
    return Found->Uses;
  const Spec *Host = match(hostOptions(), Name);
  return Host && Host->Name == Name ? Host->Uses : 0;
}

} // namespace

Option readOption(const std::vector<std::string> &Args, std::size_t Index,
                  Family Kind) {
  const std::string &Word = Args[Index];
  std::span<const Spec> Specs =
      Kind == Family::Nvcc ? nvccOptions() : hostOptions();
  const Spec *Found = match(Specs, Word);
  if (!Found && Kind == Family::Nvcc)
    Found = match(hostOptions(), Word); // Forwarded to the host compiler.
  if (!Found)
    return {Word, "", Index, 1, usesOfFlag(Word)};
  if (Found->Forms == Any)
    return {Word, "", Index, 1, Found->Uses};
  std::string Name(Found->Canonical.empty() ? Found->Name : Found->Canonical);
  unsigned Uses = usesOf(Found, Name);
  std::string_view Rest = std::string_view(Word).substr(Found->Name.size());
  if (!Rest.empty()) {
    if ((Found->Forms & Equals) != 0 && Rest.front() == '=')
      Rest.remove_prefix(1);
    return {std::move(Name), std::string(Rest), Index, 1, Uses};
  }
  if ((Found->Forms & Separate) != 0 && Index + 1 < Args.size())
    return {std::move(Name), Args[Index + 1], Index, 2, Uses};
  return {std::move(Name), "", Index, 1, Uses};
}

} // namespace loopscope::launch
