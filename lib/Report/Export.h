// Profiles in other programs' formats. Each exporter is a function from the
// model to the bytes of a file.
#ifndef LOOPSCOPE_REPORT_EXPORT_H
#define LOOPSCOPE_REPORT_EXPORT_H

#include "Profile/Run.h"
#include "Support/Result.h"

#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// Where to.
enum class ExportFormat {
  Chrome,
  Perfetto,
  Speedscope,
  Folded,
  Csv,
  TensorBoard,
  Sqlite ///< only in builds with SQLite
};

/// Every format with its name on the command line.
const std::vector<std::pair<std::string, ExportFormat>> &exportNames();

/// A parsed command line of `loopscope export`.
struct ExportRequest {
  std::string File;
  ExportFormat To = ExportFormat::Chrome;
  std::string OutputFile; ///< empty: beside the profile, under its name
};

/// Writes the file and says where. Returns the exit code.
int runExport(const ExportRequest &Request);

/// PyTorch's trace format, for chrome://tracing, Perfetto, HTA and our own
/// reader: whole microseconds, steps as ProfilerStep#N, phases as cpu_op.
std::string exportChrome(const Run &P);

/// Perfetto's protobuf: one track per thread, nanoseconds, names interned.
std::string exportPerfetto(const Run &P);

/// speedscope's evented JSON: the timeline, or the call-path tree laid out in
/// time where the run has no timeline.
std::string exportSpeedscope(const Run &P);

/// Folded stacks for flame graphs: "main;fit;epoch 1234", self time in
/// nanoseconds.
std::string exportFolded(const Run &P);

/// TensorBoard's scalar events: times of steps, of an epoch's phases, and
/// samples per second.
std::string exportTensorBoard(const Run &P);

/// One line per span of the timeline.
std::string exportCsv(const Run &P);

/// The run's name for people: its program without the directory.
std::string programName(const Run &P);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_EXPORT_H
