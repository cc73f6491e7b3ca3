// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the printers share: cells as words.

#include "Report/Print/Printers.h"

#include "Support/Numbers.h"

#include <fmt/format.h>

using namespace loopscope;

namespace {
std::string styled(double Value, Style How) {
  switch (How) {
  case Style::Python5:
    return python5(Value);
  case Style::Duration:
    return siDuration(Value);
  case Style::Time:
    return readableDuration(Value);
  case Style::Percent1:
    return fmt::format("{:.1f}%", Value);
  case Style::Percent:
    return fmt::format("{:.0f}%", Value);
  case Style::Percent2:
    return fmt::format("{:.2f}%", Value);
  case Style::Rate:
    return rate(Value);
  case Style::Text:
  case Style::Bar:
  case Style::Integer:
  case Style::Number:
    return number(Value);
  }
  return number(Value);
}
} // namespace

std::string loopscope::cellText(const Cell &C, const Column &Under) {
  if (!C.Text.empty())
    return C.Text == " " ? std::string() : C.Text;
  if (const auto *Text = std::get_if<std::string>(&C.Value))
    return *Text;
  if (const auto *Count = std::get_if<int64_t>(&C.Value))
    return fmt::format("{}", *Count);
  if (const auto *Value = std::get_if<double>(&C.Value))
    return styled(*Value, Under.Format);
  if (const auto *Ns = std::get_if<Nanoseconds>(&C.Value))
    return styled(static_cast<double>(Ns->Count) / NsPerSecond, Under.Format);
  return {};
}

std::string loopscope::cellData(const Cell &C) {
  if (const auto *Text = std::get_if<std::string>(&C.Value))
    return *Text;
  if (const auto *Count = std::get_if<int64_t>(&C.Value))
    return fmt::format("{}", *Count);
  if (const auto *Value = std::get_if<double>(&C.Value))
    return shortest(*Value);
  if (const auto *Ns = std::get_if<Nanoseconds>(&C.Value))
    return exactSeconds(Ns->Count);
  return {};
}

bool loopscope::isLeftAligned(const Column &C) {
  return C.Format == Style::Text || C.Format == Style::Bar;
}

const std::vector<std::pair<std::string, Format>> &loopscope::formatNames() {
  static const std::vector<std::pair<std::string, Format>> Names = {
      {"text", Format::Text}, {"markdown", Format::Markdown},
      {"csv", Format::Csv},   {"json", Format::Json},
      {"html", Format::Html}, {"tensorboard-json", Format::TensorBoardJson}};
  return Names;
}

std::string loopscope::print(const std::vector<Section> &Report, Format As,
                             bool Bare, const Terminal &Where) {
  switch (As) {
  case Format::Text:
    return printText(Report, Where);
  case Format::Markdown:
    return printMarkdown(Report);
  case Format::Csv:
    return printCsv(Report, Bare);
  case Format::Json:
    return printJson(Report);
  case Format::Html: // has a page of its own, see HtmlPage.h
  case Format::TensorBoardJson:
    break;
  }
  std::string Result;
  for (const Section &S : Report)
    Result += S.Raw;
  return Result;
}
