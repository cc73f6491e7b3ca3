// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See Table.h.

#include "Table.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <sstream>

namespace bench {

static std::vector<std::string> splitTabs(const std::string &Line) {
  std::vector<std::string> Fields;
  std::istringstream Stream(Line);
  for (std::string Field; std::getline(Stream, Field, '\t');)
    Fields.push_back(Field);
  return Fields;
}

void Table::addOutput(const std::string &Lines) {
  std::istringstream Stream(Lines);
  for (std::string Line; std::getline(Stream, Line);) {
    std::vector<std::string> F = splitTabs(Line);
    if (F.size() == 5 && F[0] == "row") {
      double Ratio = std::strtod(F[3].c_str(), nullptr);
      double Target = std::strtod(F[4].c_str(), nullptr);
      Rows.push_back({F[1],
                      fmt::format("{:.2f}", std::strtod(F[2].c_str(), nullptr)),
                      fmt::format("{:.2f}", Ratio),
                      Target > 0 ? fmt::format("<= {:.2f}", Target) : "",
                      Target <= 0       ? ""
                      : Ratio <= Target ? "ok"
                                        : "over"});
    } else if (F.size() == 3 && F[0] == "skip") {
      Notes.push_back(fmt::format("Skipped: {} ({}).", F[1], F[2]));
    } else if (F.size() == 2 && F[0] == "memory") {
      double Bytes = std::strtod(F[1].c_str(), nullptr);
      Rows.push_back({"memory per span (bytes)", "", fmt::format("{:g}", Bytes),
                      "0", Bytes == 0 ? "ok" : "over"});
    }
  }
}

bool Table::missed() const {
  return std::any_of(Rows.begin(), Rows.end(),
                     [](const Row &R) { return R.Verdict == "over"; });
}

std::string Table::text() const {
  size_t Width = 0;
  for (const Row &R : Rows)
    Width = std::max(Width, R.Name.size());
  std::string Out = fmt::format("{:{}}  {:>9}  {:>12}  {:>8}\n", "Case", Width,
                                "ns/span", "times floor", "target");
  for (const Row &R : Rows)
    Out += fmt::format("{:{}}  {:>9}  {:>12}  {:>8}  {}\n", R.Name, Width, R.Ns,
                       R.Ratio, R.Target, R.Verdict);
  for (const std::string &Note : Notes)
    Out += Note + "\n";
  return Out;
}

std::string Table::markdown() const {
  std::string Out = "| case | ns per span | times floor | target | |\n"
                    "|---|---:|---:|---:|---|\n";
  for (const Row &R : Rows)
    Out += fmt::format("| {} | {} | {} | {} | {} |\n", R.Name, R.Ns, R.Ratio,
                       R.Target, R.Verdict);
  for (const std::string &Note : Notes)
    Out += "\n" + Note + "\n";
  return Out;
}

} // namespace bench
