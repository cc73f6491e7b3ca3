// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope export`.

#include "Report/Commands/ExportCommand.h"

#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Report/Export/Export.h"
#include "Report/Export/ExportSqlite.h"
#include "Run/CallTree.h"
#include "Run/Kineto/Deflate.h"
#include "Support/Message.h"
#include "Support/Printable.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <sys/stat.h>

using namespace loopscope;

namespace {
struct Exporter {
  ExportFormat Format;
  const char *Name;
  const char *Extension; ///< of the file's default name
  bool NeedsTimeline;
  Result<std::string> (*Export)(const Run &);
  const char *NotOfTrace = nullptr; ///< why not of a PyTorch trace
};

// Of a PyTorch trace, exports have the sums per call path alone.
constexpr const char *NoSpans =
    "needs the timeline of a Loopscope profile; for a PyTorch trace, use "
    "speedscope, folded or sqlite";

// An exporter that can't fail as one that might.
template <std::string (*Export)(const Run &)>
Result<std::string> always(const Run &P) {
  return Export(P);
}

constexpr Exporter Exporters[] = {
    {ExportFormat::Chrome, "chrome", ".pt.trace.json", true,
     always<exportChrome>, "writes PyTorch traces, and this is one already"},
    {ExportFormat::Perfetto, "perfetto", ".perfetto-trace", true,
     always<exportPerfetto>,
     "has no use for a PyTorch trace: ui.perfetto.dev opens it as it is"},
    {ExportFormat::Speedscope, "speedscope", ".speedscope.json", false,
     always<exportSpeedscope>},
    {ExportFormat::Folded, "folded", ".folded", false, always<exportFolded>},
    {ExportFormat::CpuProfile, "cpuprofile", ".cpuprofile", false,
     always<exportCpuProfile>},
    {ExportFormat::Csv, "csv", ".csv", true, always<exportCsv>, NoSpans},
    {ExportFormat::TensorBoard, "tensorboard", ".tfevents", true,
     always<exportTensorBoard>, NoSpans},
#ifdef LOOPSCOPE_HAVE_SQLITE
    {ExportFormat::Sqlite, "sqlite", ".sqlite", false, exportSqlite},
#endif
};

bool hasTimeline(const Run &P) { return !P.Gpu.Events.empty() || P.hasSpans(); }

int fail(const std::string &Message) {
  printError(Message);
  return Failure;
}

// PATH under another extension; a trace has up to four of them.
std::string renamed(const std::string &Path, const char *Extension) {
  for (std::string_view End : {".pt.trace.json", ".pt.trace.json.gz"})
    if (Path.ends_with(End))
      return Path.substr(0, Path.size() - End.size()) + Extension;
  std::filesystem::path Default = Path;
  return Default.replace_extension(Extension).string();
}

// The run at PATH: of a trace, its call paths alone.
Result<Run> readFor(const Exporter &To, const std::string &Path) {
  Result<Run> From = readInput(Path, ViewOptions(), WithTimeline::Yes);
  if (!From || !From->isTrace())
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

const std::vector<std::pair<std::string, ExportFormat>> &
loopscope::exportNames() {
  static const std::vector<std::pair<std::string, ExportFormat>> Names = [] {
    std::vector<std::pair<std::string, ExportFormat>> Result;
    for (const Exporter &Each : Exporters)
      Result.emplace_back(Each.Name, Each.Format);
    return Result;
  }();
  return Names;
}

int loopscope::runExport(const ExportRequest &Request) {
  const Exporter *To = &Exporters[0];
  for (const Exporter &Each : Exporters)
    if (Each.Format == Request.To)
      To = &Each;
  Result<Run> P = readFor(*To, Request.File);
  if (!P)
    return fail(P.error().Message);
  if (To->NeedsTimeline && !hasTimeline(*P))
    return fail(fmt::format("{}: has no timeline; run the program with "
                            "LOOPSCOPE=trace, or export to speedscope or "
                            "folded",
                            Request.File));
  std::string Path = Request.OutputFile;
  Existing There = Existing::Replace;
  if (Path.empty() && Request.File == "-")
    return fail("an export of standard input has no name; give one with -o");
  if (Path.empty()) {
    Path = renamed(Request.File, To->Extension);
    There = Existing::Refuse;
    struct stat Facts{};
    if (lstat(Path.c_str(), &Facts) == 0)
      return fail(fmt::format("{}: exists already; name the file with -o to "
                              "replace it",
                              Path));
  }
  Result<std::string> Bytes = To->Export(*P);
  if (!Bytes)
    return fail(Bytes.error().Message);
  if (Path.ends_with(".gz"))
    Bytes = gzipBytes(*Bytes);
  if (!Bytes)
    return fail(fmt::format("{}: {}", Path, Bytes.error().Message));
  std::optional<Written> Done =
      writeOutput(*Bytes, Path, {Request.File}, There);
  // What goes through a pipe has nothing behind it.
  if (Done == Written::File)
    fmt::print("wrote {}\n", printable(Path));
  return Done ? Fine : Failure;
}
