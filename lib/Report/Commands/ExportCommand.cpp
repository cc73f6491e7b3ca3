// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope export`.

#include "Report/Commands/ExportCommand.h"

#include "Analysis/Ranks/ClockAlignment.h"
#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Report/Export/Export.h"
#include "Report/Export/ExportSqlite.h"
#include "Report/Views/SideBySide.h"
#include "Run/Kineto/Deflate.h"
#include "Run/Model/CallTree.h"
#include "Run/Model/Keys.h"
#include "Support/Message.h"
#include "Support/Printable.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sys/stat.h>

using namespace loopscope;

struct loopscope::Exporter {
  const char *Name;
  const char *Extension; ///< of the file's default name
  bool NeedsTimeline;
  Result<std::string> (*Export)(const Run &);
  const char *NotOfTrace = nullptr; ///< why not of a PyTorch trace
  bool TakesRanks = false; ///< several profiles, which exportRanks() writes
  bool HasKeys = false;    ///< beside the phases, in any case
};

namespace {
// Exports of a PyTorch trace only have the sums per call path.
constexpr const char *NoSpans =
    "needs the timeline of a Loopscope profile; for a PyTorch trace, use "
    "speedscope, folded or sqlite";

// Adapts an exporter that can't fail to one that might.
template <std::string (*Export)(const Run &)>
Result<std::string> always(const Run &R) {
  return Export(R);
}

constexpr Exporter Exporters[] = {
    {"chrome", ".pt.trace.json", true, always<exportChrome>,
     "writes PyTorch traces, and this is one already", true},
    {"perfetto", ".perfetto-trace", true, always<exportPerfetto>,
     "isn't needed for a PyTorch trace: ui.perfetto.dev opens it as it is"},
    {"speedscope", ".speedscope.json", false, always<exportSpeedscope>},
    {"folded", ".folded", false, always<exportFolded>},
    {"cpuprofile", ".cpuprofile", false, always<exportCpuProfile>},
    {"csv", ".csv", true, always<exportCsv>, NoSpans},
    {"tensorboard", ".tfevents", true, always<exportTensorBoard>, NoSpans},
#ifdef LOOPSCOPE_HAVE_SQLITE
    {"sqlite", ".sqlite", false, exportSqlite, nullptr, false, true},
#endif
};

bool hasTimeline(const Run &R) { return !R.Gpu.Events.empty() || R.hasSpans(); }

Error noTimeline(const std::string &Path) {
  return Error{fmt::format("{}: has no timeline; run the program with "
                           "LOOPSCOPE=trace, or export to speedscope or "
                           "folded",
                           Path)};
}

// PATH with another extension; a trace's name has up to four of them.
std::string renamed(const std::string &Path, const char *Extension) {
  for (std::string_view End : {".pt.trace.json", ".pt.trace.json.gz"})
    if (Path.ends_with(End))
      return Path.substr(0, Path.size() - End.size()) + Extension;
  std::filesystem::path Default = Path;
  return Default.replace_extension(Extension).string();
}

// The run at PATH; for a trace, its call paths only.
Result<Run> readFor(const Exporter &To, const std::string &Path) {
  Result<Run> From = readInput(Path, ViewOptions(), WithTimeline::Yes);
  if (!From || !From->By->KeepsEvents)
    return From;
  if (To.NotOfTrace)
    return Error{fmt::format("{}: --to {} {}", Path, To.Name, To.NotOfTrace)};
  if (From->EventCount == 0)
    return Error{fmt::format("{}: the trace has no complete event", Path)};
  if (From->Lost.Torn || !From->Lost.DamagedInput.empty())
    printMessage("warning", fmt::format("{}: ends before the trace does; the "
                                        "export has what is there",
                                        Path));
  addTree(*From);
  return From;
}
} // namespace

const std::vector<std::pair<std::string, const Exporter *>> &
loopscope::exportNames() {
  static const auto Names = [] {
    std::vector<std::pair<std::string, const Exporter *>> Result;
    for (const Exporter &Each : Exporters)
      Result.emplace_back(Each.Name, &Each);
    return Result;
  }();
  return Names;
}

namespace {
// Where the export of FROM goes; FROM is empty for several profiles.
struct Target {
  std::string Path;
  Existing There = Existing::Replace;
};

Result<Target> targetOf(const ExportRequest &Request, const Exporter &To,
                        const std::string &From) {
  if (!Request.OutputFile.empty())
    return Target{Request.OutputFile};
  if (From.empty())
    return Error{
        "an export of several profiles needs a name; give one with -o"};
  if (From == "-")
    return Error{"an export of standard input needs a name; give one with -o"};
  Target Made = {renamed(From, To.Extension), Existing::Refuse};
  struct stat Facts{};
  if (lstat(Made.Path.c_str(), &Facts) == 0)
    return Error{fmt::format(
        "{}: already exists; to replace it, name it with -o", Made.Path)};
  return Made;
}

// A single input, with the timeline that its export needs.
Result<Run> readOne(const Exporter &To, const std::string &Path) {
  Result<Run> R = readFor(To, Path);
  if (R && To.NeedsTimeline && !hasTimeline(*R))
    return noTimeline(Path);
  return R;
}

// The ranks of one run, on one clock. NOTES receives what to tell about that.
Result<std::string> exportRanks(const std::vector<std::string> &Paths,
                                bool ByKey, std::vector<std::string> &Notes) {
  std::vector<Run> All;
  for (const std::string &Path : Paths) {
    Result<Run> Next = readInput(Path, ViewOptions());
    if (!Next)
      return Next.error();
    if (!Next->By->AlignsClocks)
      return Error{fmt::format("{}: is {}, which has a clock of its own; "
                               "several inputs must be profiles",
                               Path, Next->By->Noun)};
    All.push_back(std::move(*Next));
  }
  All = newestRanks(std::move(All), Notes);
  ClockAlignment Clocks = alignClocks(All);
  if (!Clocks.WhyNot.empty())
    return Error{fmt::format(
        "no common clock: {}; export each profile separately", Clocks.WhyNot)};
  if (std::string Line = Clocks.note(); !Line.empty())
    Notes.push_back(std::move(Line));
  ChromeTrace Trace(All, Clocks.Lines);
  for (const Run &Each : All) {
    Result<Run> Whole = readInput(Each.Path, ViewOptions(), WithTimeline::Yes);
    if (!Whole)
      return Whole.error();
    if (!hasTimeline(*Whole))
      return noTimeline(Each.Path);
    if (ByKey)
      nameByKey(*Whole);
    Trace.add(*Whole);
  }
  return Trace.finish();
}

// Expands directories and merged files; a single file stays as it is.
Result<std::vector<std::string>> inputsOf(const ExportRequest &Request) {
  std::error_code Failed;
  if (Request.Files.size() == 1 &&
      !std::filesystem::is_directory(Request.Files.front(), Failed))
    return Request.Files;
  return expandInputs(Request.Files);
}
} // namespace

int loopscope::runExport(const ExportRequest &Request) {
  const Exporter &To = *Request.To;
  Result<std::vector<std::string>> Paths = inputsOf(Request);
  if (!Paths)
    return fail(Paths.error().Message);
  bool IsOne = Paths->size() == 1;
  if (!IsOne && !To.TakesRanks)
    return fail(fmt::format("--to {} takes one profile, not {}; --to chrome "
                            "puts several on one clock",
                            To.Name, Paths->size()));
  if (Request.ByKey && To.HasKeys)
    return fail(fmt::format("--to {} has the keys in any case, in the table "
                            "node_key; leave out --by key",
                            To.Name));
  std::vector<std::string> Notes;
  Result<Run> One = IsOne ? readOne(To, Paths->front()) : Run();
  if (!One)
    return fail(One.error().Message);
  if (Request.ByKey)
    nameByKey(*One);
  Result<Target> Into =
      targetOf(Request, To, IsOne ? Paths->front() : std::string());
  if (!Into)
    return fail(Into.error().Message);
  Result<std::string> Bytes =
      IsOne ? To.Export(*One) : exportRanks(*Paths, Request.ByKey, Notes);
  if (!Bytes)
    return fail(Bytes.error().Message);
  if (Into->Path.ends_with(".gz"))
    Bytes = gzipBytes(*Bytes);
  if (!Bytes)
    return fail(fmt::format("{}: {}", Into->Path, Bytes.error().Message));
  std::optional<Written> Done =
      writeOutput(*Bytes, Into->Path, *Paths, Into->There);
  // What goes through a pipe has nothing after it.
  if (Done == Written::File) {
    fmt::print("wrote {}\n", printable(Into->Path));
    for (const std::string &Note : Notes)
      fmt::print("{}\n", printable(Note));
  }
  return Done ? Fine : Failure;
}
