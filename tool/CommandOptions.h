// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that several commands of loopscope share, and how to parse their
// values.

#ifndef LOOPSCOPE_TOOL_COMMANDOPTIONS_H
#define LOOPSCOPE_TOOL_COMMANDOPTIONS_H

#include "Report/Commands/Output.h"
#include "Report/Commands/ReportCommand.h"
#include "Report/Views/View.h"
#include "Support/Suggest.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// The keys of a list of (name, value) pairs, as "a, b or c".
template <typename Pairs> std::string listed(const Pairs &Names) {
  std::string Result;
  for (size_t I = 0; I < Names.size(); ++I)
    Result += (I == 0                  ? ""
               : I + 1 == Names.size() ? " or "
                                       : ", ") +
              Names[I].first;
  return Result;
}

/// "did you mean 'tree'?", or \p Otherwise if \p Word isn't near any of \p
/// Names.
template <typename Pairs>
std::string suggestionOr(const std::string &Otherwise, const std::string &Word,
                         const Pairs &Names) {
  std::vector<std::string> Known;
  for (const auto &Each : Names)
    Known.push_back(Each.first);
  std::string Near = suggestionFor(Word, Known);
  return Near.empty() ? Otherwise : Near;
}

/// Adds option \p Flag, whose value is one of \p Names; any other is a parse
/// error that lists them. \p What is its help, without the list.
template <typename T>
CLI::Option *addChoice(CLI::App &To, const std::string &Flag,
                       const std::vector<std::pair<std::string, T>> &Names,
                       T &Into, const std::string &What) {
  auto Parse = [&Names, &Into, Flag](const std::string &Word) {
    for (const auto &[Name, Value] : Names)
      if (Name == Word) {
        Into = Value;
        return;
      }
    throw CLI::ValidationError(
        Flag, fmt::format("'{}' is not known; {}", Word,
                          suggestionOr("use " + listed(Names), Word, Names)));
  };
  return To
      .add_option_function<std::string>(Flag, Parse,
                                        What + ": " + listed(Names))
      ->type_name("NAME");
}

/// csv's --bare.
void addBare(CLI::App &To, ViewOptions &Options);
/// html's --open, which writes the page and shows it, and --no-source.
void addPage(CLI::App &To, ViewOptions &Options, bool &Open);
/// Throws a parse error if --bare or --no-source is used with a format that it
/// does nothing for. Call once all options are known.
void refuseForFormat(const ViewOptions &Options, bool Open);

/// --color and --width.
void addTextOptions(CLI::App &To, TextRequest &Text);
/// --style, for commands that show the simple view.
void addStyle(CLI::App &To, TextRequest &Text);

/// Which parts of the inputs are read, and how they are put together.
void addInputOptions(CLI::App &To, ViewOptions &Options);

/// Options for a report, wherever its profiles come from.
void addReportOptions(CLI::App &Report, ReportRequest &Request);

/// "5" and "5%" are five percent; anything else is a parse error of \p Flag.
double parsePercent(const std::string &Flag, const std::string &Word);

} // namespace loopscope

#endif // LOOPSCOPE_TOOL_COMMANDOPTIONS_H
