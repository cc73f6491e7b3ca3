// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiled headers whose source is elsewhere.

#include "Launch/Precompiled.h"

#include "Support/OutputFile.h"

#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {

std::string noteOf(const std::string &Precompiled) {
  return Precompiled + ".loopscope-header";
}

/// The header that the note beside PRECOMPILED names, for a compile in
/// DIRECTORY; "" if there is none.
std::string readNote(const std::string &Precompiled,
                     const std::string &Directory) {
  std::ifstream Stream(noteOf(Precompiled), std::ios::binary);
  std::string Header, From;
  if (!std::getline(Stream, Header) || !std::getline(Stream, From))
    return "";
  std::string Path = absoluteIn(Header, From);
  std::error_code Why;
  if (!fs::is_regular_file(Path, Why))
    return "";
  return From == Directory ? Header : Path;
}

/// The precompiled form that `-include NAME` finds where it finds no header; ""
/// for all others.
std::string onlyPrecompiled(const std::string &Name, const CommandLine &Line,
                            const std::string &Directory) {
  std::vector<std::string> Places = {absoluteIn(Name, Directory)};
  for (const Option &O : Line.Options)
    if (O.Name == "-iquote" || O.Name == "-I")
      Places.push_back(absoluteIn(O.Value + "/" + Name, Directory));
  std::error_code Why;
  std::string Found;
  for (const std::string &Path : Places) {
    if (fs::exists(Path, Why))
      return "";
    if (Found.empty() && fs::exists(Path + ".gch", Why))
      Found = Path + ".gch";
  }
  return Found;
}

} // namespace

void noteHeader(const CommandLine &Line, const std::string &Directory) {
  if (Line.Action != Mode::Compile || Line.Sources.size() != 1 ||
      Line.Output.empty() || !Line.Sources[0].Language.ends_with("-header"))
    return;
  (void)writeOutputFile(noteOf(absoluteIn(Line.Output, Directory)),
                        Line.Sources[0].Path + "\n" + Directory + "\n",
                        Existing::KeepEqual);
}

std::vector<NotedHeader> notedHeaders(const CommandLine &Line,
                                      const std::string &Directory) {
  std::vector<NotedHeader> All;
  for (const Option &O : Line.Options) {
    std::string Precompiled;
    if (O.Name == "-include")
      Precompiled = onlyPrecompiled(O.Value, Line, Directory);
    else if (O.Name == "-include-pch")
      Precompiled = absoluteIn(O.Value, Directory);
    if (Precompiled.empty())
      continue;
    if (std::string Header = readNote(Precompiled, Directory); !Header.empty())
      All.push_back({O.Index, O.Length, Header});
  }
  return All;
}

void includeHeader(std::vector<std::string> &Args, const NotedHeader &Noted,
                   const std::string &Name) {
  if (Noted.Length == 1) {
    Args[Noted.Index] = "-include" + Name;
    return;
  }
  Args[Noted.Index] = "-include";
  Args[Noted.Index + 1] = Name;
}

} // namespace loopscope::launch
