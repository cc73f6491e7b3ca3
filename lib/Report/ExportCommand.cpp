// `loopscope export`.
#include "Profile/Deflate.h"
#include "Profile/ProfileReader.h"
#include "Report/Export.h"
#include "Report/ExportSqlite.h"
#include "Report/Output.h"
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
};

// An exporter that can't fail as one that might.
template <std::string (*Export)(const Run &)>
Result<std::string> always(const Run &P) {
  return Export(P);
}

constexpr Exporter Exporters[] = {
    {ExportFormat::Chrome, "chrome", ".pt.trace.json", true,
     always<exportChrome>},
    {ExportFormat::Perfetto, "perfetto", ".perfetto-trace", true,
     always<exportPerfetto>},
    {ExportFormat::Speedscope, "speedscope", ".speedscope.json", false,
     always<exportSpeedscope>},
    {ExportFormat::Folded, "folded", ".folded", false, always<exportFolded>},
    {ExportFormat::Csv, "csv", ".csv", true, always<exportCsv>},
    {ExportFormat::TensorBoard, "tensorboard", ".tfevents", true,
     always<exportTensorBoard>},
#ifdef LOOPSCOPE_HAVE_SQLITE
    {ExportFormat::Sqlite, "sqlite", ".sqlite", false, exportSqlite},
#endif
};

bool hasTimeline(const Run &P) {
  if (!P.Gpu.Events.empty())
    return true;
  for (const std::vector<TimelineSpan> &Track : P.Timeline)
    if (!Track.empty())
      return true;
  return false;
}

int fail(const std::string &Message) {
  printError(Message);
  return 1;
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

std::string loopscope::programName(const Run &P) {
  std::string Name = P.Program.substr(P.Program.rfind('/') + 1);
  return P.Rank < 0 ? Name : fmt::format("{} rank {}", Name, P.Rank);
}

int loopscope::runExport(const ExportRequest &Request) {
  const Exporter *To = &Exporters[0];
  for (const Exporter &Each : Exporters)
    if (Each.Format == Request.To)
      To = &Each;
  Result<Run> P = readProfile(Request.File, WithTimeline::Yes);
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
    return fail("standard input has no name that the export's could be made "
                "from; name the file with -o");
  if (Path.empty()) {
    std::filesystem::path Default = Request.File;
    Path = Default.replace_extension(To->Extension).string();
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
  return !Done;
}
