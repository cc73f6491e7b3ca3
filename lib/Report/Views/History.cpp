// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The history view: how a run went, from its start to its end. For people a
// curve of each figure; for programs the bins.

#include "Analysis/Steps/HistoryCurves.h"
#include "Report/Print/Cells.h"
#include "Report/Views/View.h"
#include "Run/Model/Metrics.h"
#include "Support/Numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

using namespace loopscope;

namespace {
constexpr double Unknown = std::numeric_limits<double>::quiet_NaN();

// The metrics of the bins, by loopscope_history_gauge_kind.
Metric metricOf(size_t Gauge) {
  Metric Result;
  Result.Name = historyMetric(Gauge);
  Result.Kind = findMetricKind(Result.Name);
  Result.Unit = Result.Kind->Id == MetricId::ProcessRss ||
                        Result.Kind->Id == MetricId::MemoryUsed
                    ? LOOPSCOPE_UNIT_BYTES
                    : LOOPSCOPE_UNIT_PERCENT;
  return Result;
}

bool hasGauge(const HistoryCurves &Of, size_t Gauge) {
  return std::ranges::any_of(Of.Bins, [Gauge](const HistoryBin &Each) {
    return Each.Gauges[Gauge].Samples != 0;
  });
}

// Bins for programs.
class DataTables {
public:
  DataTables(const HistoryCurves &Of, const std::vector<RunValue> &Values)
      : Of(Of), Values(Values) {}

  std::vector<Table> build() const {
    std::vector<Table> Result = {bins()};
    if (!Of.Loops.empty())
      Result.push_back(steps());
    if (!Of.Parts.empty())
      Result.push_back(parts());
    if (!Values.empty())
      Result.push_back(values());
    return Result;
  }

private:
  static Table tableOf(const char *Id) {
    Table Result;
    Result.Id = Id;
    Result.Where = {{"table", Id}};
    Result.Columns = {{"from_s", "From", Style::Time},
                      {"to_s", "To", Style::Time}};
    return Result;
  }
  std::vector<Cell> cellsOf(size_t Bin) const {
    return {duration(Of.Bins[Bin].FromNs), duration(Of.Bins[Bin].ToNs)};
  }

  Table bins() const {
    Table Result = tableOf("bins");
    for (size_t G = 0; G < LOOPSCOPE_HISTORY_GAUGE_COUNT; ++G)
      for (const char *What : {"_mean", "_max"})
        if (hasGauge(Of, G))
          Result.Columns.push_back({metricKey(metricOf(G)) + What,
                                    metricHeader(metricOf(G)), Style::Number});
    for (size_t I = 0; I < Of.Bins.size(); ++I) {
      Row Next{cellsOf(I)};
      for (size_t G = 0; G < LOOPSCOPE_HISTORY_GAUGE_COUNT; ++G) {
        if (!hasGauge(Of, G))
          continue;
        const HistoryGauge &Its = Of.Bins[I].Gauges[G];
        Next.Cells.push_back(Its.Samples == 0 ? absent() : real(Its.Mean));
        Next.Cells.push_back(Its.Samples == 0 ? absent() : real(Its.Max));
      }
      Result.Rows.push_back(std::move(Next));
    }
    return Result;
  }

  Table steps() const {
    Table Result = tableOf("steps");
    for (Column Each : std::initializer_list<Column>{
             {"loop", "Loop", Style::Text},
             {"steps", "Steps", Style::Integer},
             {"samples", "Samples", Style::Integer},
             {"step_total_s", "In Steps", Style::Time},
             {"p50_s", "p50", Style::Time},
             {"p95_s", "p95", Style::Time},
             {"longest_s", "Longest", Style::Time}})
      Result.Columns.push_back(std::move(Each));
    auto Quantile = [](std::optional<double> Ns) {
      return Ns ? seconds(*Ns / NsPerSecond) : absent();
    };
    for (size_t I = 0; I < Of.Bins.size(); ++I)
      for (const LoopCurve &Loop : Of.Loops) {
        Row Next{cellsOf(I)};
        const HistorySteps &Its = Loop.Steps[I];
        for (Cell Each :
             {text(Loop.Name), count(Its.Steps),
              Loop.HasSamples ? count(Its.Samples) : absent(),
              duration(Loop.StepNs[I]), Quantile(Loop.quantileNs(Its, 0.5)),
              Quantile(Loop.quantileNs(Its, 0.95)),
              Its.LongestNs == 0 ? absent()
                                 : seconds(Its.LongestNs / NsPerSecond)})
          Next.Cells.push_back(std::move(Each));
        Result.Rows.push_back(std::move(Next));
      }
    return Result;
  }

  Table parts() const {
    Table Result = tableOf("parts");
    for (Column Each :
         std::initializer_list<Column>{{"loop", "Loop", Style::Text},
                                       {"part", "Part", Style::Text},
                                       {"use", "Use", Style::Text},
                                       {"time_s", "Time", Style::Time}})
      Result.Columns.push_back(std::move(Each));
    for (size_t I = 0; I < Of.Bins.size(); ++I)
      for (const PartCurve &Part : Of.Parts) {
        Row Next{cellsOf(I)};
        Next.Cells.push_back(
            text(Part.Loop == SIZE_MAX ? "" : Of.Loops[Part.Loop].Name));
        Next.Cells.push_back(text(Part.Name));
        Next.Cells.push_back(text(keyOf(Part.Use)));
        Next.Cells.push_back(duration(Part.Ns[I]));
        Result.Rows.push_back(std::move(Next));
      }
    return Result;
  }

  Table values() const {
    Table Result = tableOf("values");
    for (Column Each : std::initializer_list<Column>{
             {"value", "Value", Style::Text},
             {"process", "Process", Style::Text},
             {"count", "Count", Style::Integer},
             {"mean", "Mean", Style::Number},
             {"min", "Least", Style::Number},
             {"max", "Most", Style::Number},
             {"last", "Last", Style::Number},
             {"not_finite", "Not finite", Style::Integer}})
      Result.Columns.push_back(std::move(Each));
    for (const RunValue &Value : Values)
      for (const RunValue::Bin &Bin : Value.Bins) {
        auto Known = [&Bin](double Figure) {
          return Bin.Of.Count == 0 ? absent() : real(Figure);
        };
        Result.Rows.push_back(
            {{duration(Bin.FromNs), duration(Bin.ToNs), text(Value.Name),
              text(Value.Process), count(Bin.Of.Count), Known(Bin.Of.mean()),
              Known(Bin.Of.Min), Known(Bin.Of.Max), Known(Bin.Of.Last),
              count(Bin.Of.NotFinite)}});
      }
    return Result;
  }

  const HistoryCurves &Of;
  const std::vector<RunValue> &Values;
};

// Curves for people.
class CurveTable {
public:
  CurveTable(const HistoryCurves &Of, const std::vector<RunValue> &Values,
             bool HasWarmup, bool AllParts)
      : Of(Of), Values(Values), HasWarmup(HasWarmup), AllParts(AllParts) {}

  Table build() {
    Result.Id = "history";
    Result.Title = "The run over time";
    Result.Columns = {
        {"figure", "Figure", Style::Text},
        {"least", "Least", Style::Text, 1},
        {"whole", "Whole Run", Style::Text},
        {"most", "Most", Style::Text, 1},
        {"curve",
         "0 s\t" + readableDuration(static_cast<double>(Of.Bins.back().ToNs) /
                                    NsPerSecond),
         Style::Bar}};
    for (size_t I = 0; I < Of.Loops.size(); ++I)
      addLoop(I);
    addParts(SIZE_MAX);
    for (size_t G = 0; G < LOOPSCOPE_HISTORY_GAUGE_COUNT; ++G)
      if (hasGauge(Of, G))
        addGauge(G);
    addValues();
    addNotes();
    return std::move(Result);
  }

private:
  using Words = std::function<std::string(double)>;

  // WHOLE: of the run. VALUES are by bin; without any, no row: false.
  bool addRow(const std::string &Name, int Depth,
              const std::vector<double> &Values, double Whole,
              const Words &Say) {
    double Least = std::numeric_limits<double>::infinity();
    double Most = 0;
    for (double Each : Values)
      if (!std::isnan(Each)) {
        Least = std::min(Least, Each);
        Most = std::max(Most, Each);
      }
    if (Least > Most)
      return false;
    Curve Drawn;
    auto End = static_cast<double>(Of.Bins.back().ToNs);
    for (size_t I = 0; I < Values.size(); ++I)
      Drawn.Pieces.push_back({static_cast<double>(Of.Bins[I].FromNs) / End,
                              static_cast<double>(Of.Bins[I].ToNs) / End,
                              Values[I]});
    Row Next;
    Next.Depth = Depth;
    Next.Cells = {text(Name), text(Say(Least)), text(Say(Whole)),
                  text(Say(Most)), Cell{std::move(Drawn), {}}};
    Result.Rows.push_back(std::move(Next));
    return true;
  }

  void addLoop(size_t Loop) {
    const LoopCurve &L = Of.Loops[Loop];
    addRow(L.Name + (L.HasSamples ? ": samples/s" : ": steps/s"), 0, L.Rates,
           L.Rate, rate);
    addDurations("step, p50", L, 0.5);
    addDurations("step, p95", L, 0.95);
    addParts(Loop);
  }

  void addDurations(const char *Name, const LoopCurve &L, double Fraction) {
    std::vector<double> Values;
    for (const HistorySteps &Each : L.Steps)
      Values.push_back(L.quantileNs(Each, Fraction).value_or(Unknown));
    HasDurations |=
        addRow(Name, 1, Values, L.Spans.percentileNs(Fraction),
               [](double Ns) { return readableDuration(Ns / NsPerSecond, 2); });
  }

  void addParts(size_t Loop) {
    constexpr size_t MostParts = 6;
    size_t Shown = 0;
    for (const PartCurve &Part : Of.Parts) {
      if (Part.Loop != Loop || Part.TotalNs <= 0 || Part.Use == CurveUse::Rest)
        continue;
      if (++Shown > MostParts && !AllParts) {
        ++Hidden;
        continue;
      }
      addRow(Part.Name, Loop == SIZE_MAX ? 0 : 1, Part.Shares, Part.Share,
             [](double Value) { return fmt::format("{:.1f}%", Value); });
    }
  }

  void addGauge(size_t Gauge) {
    std::vector<double> Values;
    double Sum = 0;
    uint64_t Samples = 0;
    for (const HistoryBin &Each : Of.Bins) {
      const HistoryGauge &Its = Each.Gauges[Gauge];
      Values.push_back(Its.Samples == 0 ? Unknown : Its.Mean);
      Sum += Its.Mean * static_cast<double>(Its.Samples);
      Samples += Its.Samples;
    }
    Metric M = metricOf(Gauge);
    addRow(metricHeader(M), 0, Values, Sum / static_cast<double>(Samples),
           [M](double Value) { return metricText(M, Value); });
  }

  void addValues() {
    constexpr size_t MostValues = 8;
    size_t Shown = 0;
    for (const RunValue &Each : Values) {
      if (Each.All.NotFinite != 0)
        noteNotFinite(Each);
      if (Each.All.Count == 0)
        continue;
      if (++Shown <= MostValues || AllParts)
        addValue(Each);
      else
        ++HiddenValues;
    }
  }

  // With a value below 0, the curve is above the least.
  void addValue(const RunValue &Value) {
    double Floor = std::min(0.0, Value.All.Min);
    auto End = static_cast<double>(Of.Bins.back().ToNs);
    Curve Drawn;
    for (const RunValue::Bin &Each : Value.Bins)
      if (Each.Of.Count != 0)
        Drawn.Pieces.push_back({static_cast<double>(Each.FromNs) / End,
                                static_cast<double>(Each.ToNs) / End,
                                Each.Of.mean() - Floor});
    auto Say = [](double Figure) { return fmt::format("{:.4g}", Figure); };
    Row Next;
    Next.Cells = {text(nameOf(Value)), text(Say(Value.All.Min)),
                  text(Say(Value.All.mean())), text(Say(Value.All.Max)),
                  Cell{std::move(Drawn), {}}};
    Result.Rows.push_back(std::move(Next));
    Lasts.push_back(fmt::format("{} {}", nameOf(Value), Say(Value.All.Last)));
  }

  static std::string nameOf(const RunValue &Value) {
    return Value.Process.empty()
               ? Value.Name
               : fmt::format("{} ({})", Value.Name, Value.Process);
  }

  void noteNotFinite(const RunValue &Value) {
    auto First =
        std::ranges::find_if(Value.Bins, [](const RunValue::Bin &Each) {
          return Each.Of.NotFinite != 0;
        });
    NotFinite.push_back(
        fmt::format("{} was infinite or no number {}, first between {} and {}.",
                    nameOf(Value), counted(Value.All.NotFinite, "time"),
                    readableDuration(toSeconds(First->FromNs)),
                    readableDuration(toSeconds(First->ToNs))));
  }

  void addNotes() {
    if (!Lasts.empty())
      Result.Notes.push_back(
          fmt::format("Last values: {}.", fmt::join(Lasts, ", ")));
    for (std::string &Line : NotFinite)
      Result.Notes.push_back(std::move(Line));
    if (HiddenValues != 0)
      Result.Notes.push_back(fmt::format("{} more; --rows all shows all.",
                                         counted(HiddenValues, "value")));
    if (Of.Bins.size() == 1)
      Result.Notes.push_back("There is one bin only: the run was too short for "
                             "more, or had no background thread.");
    else
      Result.Notes.push_back(
          fmt::format("{} bins; a column is blank where nothing is known.",
                      Of.Bins.size()));
    if (HasDurations)
      Result.Notes.emplace_back("Of single bins, p50 and p95 are within 12%.");
    if (HasWarmup)
      Result.Notes.emplace_back("Steps of the warm-up are included.");
    if (Of.Processes > 1)
      Result.Notes.push_back(fmt::format(
          "{} processes together, each from its own start: rates are sums, "
          "metrics are means.",
          Of.Processes));
    if (Hidden != 0)
      Result.Notes.push_back(fmt::format("{} more; --rows all shows all.",
                                         counted(Hidden, "part")));
  }

  const HistoryCurves &Of;
  const std::vector<RunValue> &Values;
  bool HasWarmup;
  bool AllParts;
  size_t Hidden = 0;
  size_t HiddenValues = 0;
  std::vector<std::string> Lasts;
  std::vector<std::string> NotFinite;
  bool HasDurations = false;
  Table Result;
};

Result<std::vector<Table>> buildHistory(const Run &R,
                                        const ViewOptions &Options) {
  constexpr size_t MostParts = 64;
  bool IsData = Options.Output == Format::Csv || Options.Output == Format::Json;
  Result<HistoryCurves> Curves = historyCurves(
      R, MostParts, IsData ? CurveBins::All : CurveBins::WithSteps);
  if (!Curves)
    return Curves.error();
  if (IsData)
    return DataTables(*Curves, R.Values).build();
  return std::vector<Table>{
      CurveTable(*Curves, R.Values, std::ranges::any_of(R.Nodes, &Node::Warmup),
                 Options.Rows == size_t{0})
          .build()};
}
} // namespace

namespace loopscope {
extern const View HistoryView = {
    .Name = "history",
    .Help = "how the run went from start to end, as curves",
    .OfRun = buildHistory,
    .Shape = {.Sorts = false, .CutsItself = true, .MixedColumns = true},
    .OnPage = false, // it has its own part
    .OnSamples = true,
    .OnHistory = true,
};
} // namespace loopscope
