// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the options that commands share, for CLI11.

#include "CommandOptions.h"

#include <loopscope/flops_text.h>
#include <loopscope/style_names.h>

#include <fmt/format.h>

#include <charconv>
#include <system_error>

using namespace loopscope;

namespace {
// Narrower tables would say nothing.
constexpr size_t LeastWidth = 20;

// A number of at least LEAST; "all" becomes 0, which means no limit.
size_t parseLimit(const std::string &Flag, const std::string &Word,
                  size_t Least) {
  size_t Limit = 0;
  auto [End, Code] =
      std::from_chars(Word.data(), Word.data() + Word.size(), Limit);
  bool IsNumber = Code == std::errc() && End == Word.data() + Word.size();
  if (Word != "all" && !IsNumber)
    throw CLI::ValidationError(
        Flag, fmt::format("'{}' is neither a number nor 'all'", Word));
  if (Word != "all" && Limit < Least)
    throw CLI::ValidationError(
        Flag, fmt::format("{} is too few; give at least {}", Limit, Least));
  return Word == "all" ? 0 : Limit;
}
} // namespace

double loopscope::parsePercent(const std::string &Flag,
                               const std::string &Word) {
  size_t Size = Word.size() - (Word.ends_with('%') ? 1 : 0);
  double Percent = -1;
  auto [End, Code] = std::from_chars(Word.data(), Word.data() + Size, Percent);
  if (Code != std::errc() || End != Word.data() + Size || !(Percent >= 0))
    throw CLI::ValidationError(
        Flag, fmt::format("'{}' is not a percentage such as 5%", Word));
  return Percent;
}

void loopscope::addBare(CLI::App &To, ViewOptions &Options) {
  To.add_flag("--bare", Options.Bare,
              "csv: leave out the ' that keeps a spreadsheet from running text "
              "as a formula");
}

void loopscope::refuseForFormat(const ViewOptions &Options, bool Open) {
  if (Options.Bare && Options.Output != Format::Csv)
    throw CLI::ValidationError("--bare", "works with --format csv only");
  if (!Options.WithSource && Options.Output != Format::Html && !Open)
    throw CLI::ValidationError("--no-source", "works with --format html only");
}

void loopscope::addInputOptions(CLI::App &To, ViewOptions &Options) {
  To.add_option("--thread", Options.Thread,
                "Only what ran on this thread, by name (main) or number")
      ->type_name("NAME|ID");
  To.add_option("--rank", Options.Rank,
                "Only the files of this rank of a distributed run")
      ->type_name("N");
  To.add_option("--max-inflated", Options.MaxInflated,
                "Largest size that a compressed trace may inflate to, e.g. "
                "16G (default 4G)")
      ->transform(CLI::AsSizeValue(false))
      ->envname("LOOPSCOPE_MAX_INFLATED")
      ->type_name("SIZE");
  To.add_flag("!--no-keys", Options.NumbersAreKeys,
              "traces: keep names apart that differ by a number alone, "
              "such as layer.0 and layer.1");
  To.add_flag("--merge", Options.Merged,
              "Show all profiles, or traces, as one, with times summed; "
              "timeline: side by side");
}

void loopscope::addReportOptions(CLI::App &Report, ReportRequest &Request) {
  static const std::vector<std::pair<std::string, SamplesMode>> SamplesNames = {
      {"over-time", SamplesMode::OverTime},
      {"mean-of-ratios", SamplesMode::MeanOfRatios}};
  static const std::vector<std::pair<std::string, const View *>> ViewNames =
      [] {
        std::vector<std::pair<std::string, const View *>> Names;
        for (const View *Each : allViews())
          Names.emplace_back(Each->Name, Each);
        return Names;
      }();
  addChoice(Report, "--view", ViewNames, Request.Which,
            "What to show (default summary; simple for csv and json, and "
            "with options that shape a table)");
  addChoice(Report, "--format", formatNames(), Request.Options.Output,
            "How to write it (default text)");
  addBare(Report, Request.Options);
  Report.add_flag("--compact", Request.Options.Compact,
                  "simple: name, mean and total only, by mean");
  Report.add_flag("--stats", Request.Options.Stats,
                  "simple: deviation, extremes, percentiles and self time; "
                  "simple, tree, throughput: CPU time, time off it, "
                  "page faults and switches");
  addChoice(Report, "--by", groupNames(), Request.Options.By,
            "kernels, operators: a row per name, or per name and the phase "
            "that ran it; ranks: a row per rank, or per action; "
            "communication: a row per operation, or per rank and peer "
            "(default name, rank, operation)");
  Report.add_flag(
      "--seconds", Request.Options.Seconds,
      "advanced: seconds with three decimals, as cProfile prints them");
  addChoice(Report, "--samples", SamplesNames, Request.Options.Samples,
            "throughput: how samples per second are computed (default "
            "over-time)");
  Report
      .add_option_function<std::string>(
          "--peak",
          [&Request](const std::string &Word) {
            if (!parseFlops(Word.c_str(), Request.Options.PeakFlops))
              throw CLI::ValidationError(
                  "--peak", "'" + Word +
                                "' is not a number of FLOP a second; write "
                                "989T, with K, M, G, T, P or E for powers of "
                                "1000");
          },
          "throughput, tree: one device's peak FLOP a second, for MFU "
          "(default: LOOPSCOPE=peak= of the run, or a table of GPUs)")
      ->type_name("FLOPS");
  Report
      .add_option("--sort", Request.Options.Sort,
                  "Order rows by this column's key, as csv names it")
      ->type_name("COLUMN");
  Report
      .add_option_function<std::string>(
          "--rows",
          [&Request](const std::string &Word) {
            Request.Options.Rows = parseLimit("--rows", Word, 1);
          },
          "Show this many rows, or all; timeline: the last N steps")
      ->type_name("N|all");
  Report
      .add_option("--columns", Request.Options.Columns,
                  "Show these columns only, by key, in this order")
      ->delimiter(',')
      ->allow_extra_args(false) // files may follow
      ->type_name("COLUMN,...");
  Report
      .add_option("--filter", Request.Options.Filter,
                  "Show rows whose name matches this regular expression; in a "
                  "tree, also those above and below")
      ->type_name("REGEX");
  Report
      .add_option(
          "--stage", Request.Options.Stage,
          "Only this stage: fit, validate, test, predict or outside (what ran "
          "in none)")
      ->type_name("STAGE");
  addInputOptions(Report, Request.Options);
  Report
      .add_option("-o,--output", Request.OutputFile,
                  "Write to FILE instead of standard output, which is -")
      ->check([](const std::string &Word) {
        return Word.ends_with(".loopscope")
                   ? fmt::format("{0} would be a profile, and this is the "
                                 "report; LOOPSCOPE=output={0} names the "
                                 "profile",
                                 Word)
                   : std::string();
      })
      ->type_name("FILE");
  addPage(Report, Request.Options, Request.Open);
  addTextOptions(Report, Request.Text);
  addStyle(Report, Request.Text);
}

void loopscope::addPage(CLI::App &To, ViewOptions &Options, bool &Open) {
  To.add_flag("!--no-source", Options.WithSource,
              "html: leave the source's text out, for a page that goes to "
              "others");
  To.add_flag("--open", Open,
              "Make the html page and open it in the browser ($BROWSER, else "
              "the desktop's); without -o it is a temporary file");
}

void loopscope::addTextOptions(CLI::App &To, TextRequest &Text) {
  static const std::vector<std::pair<std::string, ColourChoice>> Choices = {
      {"auto", ColourChoice::Auto},
      {"always", ColourChoice::Always},
      {"never", ColourChoice::Never}};
  addChoice(To, "--color", Choices, Text.Colours,
            "Colour text (default auto: on a terminal, unless NO_COLOR or "
            "CLICOLOR_FORCE says otherwise)");
  To.add_option_function<std::string>(
        "--width",
        [&Text](const std::string &Word) {
          Text.Width = parseLimit("--width", Word, LeastWidth);
        },
        "Fit text into this many columns, or show all (default: the "
        "terminal's width; all in a pipe or a file)")
      ->type_name("N|all");
}

void loopscope::addStyle(CLI::App &To, TextRequest &Text) {
  static const std::vector<std::pair<std::string, TableStyle>> Styles = {
#define LOOPSCOPE_LIST_STYLE_(NAME, IDENTIFIER) {NAME, TableStyle::IDENTIFIER},
      LOOPSCOPE_STYLES(LOOPSCOPE_LIST_STYLE_)
#undef LOOPSCOPE_LIST_STYLE_
  };
  addChoice(To, "--style", Styles, Text.Style,
            "simple: the layout of tables; lightning is PyTorch Lightning's "
            "frame (default plain)");
}
