// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Middle elision on code points.

#include "Report/Print/Elide.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
// Byte offset of code point INDEX in TEXT.
size_t offsetOf(const std::string &Text, size_t Index) {
  size_t Seen = 0;
  for (size_t I = 0; I < Text.size(); ++I)
    if (startsCodePoint(Text[I]) && Seen++ == Index)
      return I;
  return Text.size();
}

std::string cut(const std::string &Name, size_t Width,
                const std::string &Middle) {
  size_t Length = displayWidth(Name);
  size_t Keep = Width - displayWidth(Middle);
  size_t Front = (Keep + 1) / 2;
  size_t Back = Keep - Front;
  return Name.substr(0, offsetOf(Name, Front)) + Middle +
         Name.substr(offsetOf(Name, Length - Back));
}
} // namespace

size_t loopscope::displayWidth(const std::string &Text) {
  return static_cast<size_t>(
      std::count_if(Text.begin(), Text.end(), startsCodePoint));
}

std::string loopscope::cutEnd(const std::string &Text, size_t Width) {
  if (displayWidth(Text) <= Width || Width == 0)
    return Text;
  return Text.substr(0, offsetOf(Text, Width - 1)) + "…";
}

std::string loopscope::elide(const std::string &Name, size_t Width,
                             Legend &Used) {
  if (displayWidth(Name) <= Width)
    return Name;
  size_t Indent = std::min(Name.find_first_not_of(' '), Name.size());
  // A tree deeper than the column is wide loses indentation.
  constexpr size_t LeastShown = 5;
  size_t Shown = std::min(Indent, Width > LeastShown ? Width - LeastShown : 0);
  std::string Full = Name.substr(Indent);
  // A name that was already cut is cut further: the legend has the original.
  for (auto I = Used.begin(); I != Used.end(); ++I)
    if (I->first == Full) {
      Full = I->second;
      Used.erase(I);
      break;
    }
  size_t Room = Width - Shown;
  if (displayWidth(Full) <= Room || Room < LeastShown)
    return std::string(Shown, ' ') + Full.substr(0, offsetOf(Full, Room));
  std::string Short = cut(Full, Room, "…");
  auto Taken = [&](const std::string &Text) {
    return std::any_of(Used.begin(), Used.end(), [&](const auto &Each) {
      return Each.first == Text && Each.second != Full;
    });
  };
  for (unsigned Number = 2; Taken(Short) && Number < 1000; ++Number) {
    std::string Middle = fmt::format("…{}…", Number);
    if (displayWidth(Middle) + 2 > Room)
      break;
    Short = cut(Full, Room, Middle);
  }
  std::pair<std::string, std::string> Entry = {Short, Full};
  if (std::find(Used.begin(), Used.end(), Entry) == Used.end())
    Used.push_back(std::move(Entry));
  return std::string(Shown, ' ') + Short;
}
