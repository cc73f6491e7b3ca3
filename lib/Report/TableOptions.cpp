// Filtering, sorting and cutting tables.
#include "Report/TableOptions.h"

#include "Report/ViewNames.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

namespace loopscope {
namespace {

// A cell as a number to sort by; cells without a value come last.
double sortKey(const Cell &C) {
  if (const auto *Whole = std::get_if<int64_t>(&C.Value))
    return static_cast<double>(*Whole);
  if (const auto *Real = std::get_if<double>(&C.Value))
    return *Real;
  if (const auto *Time = std::get_if<Nanoseconds>(&C.Value))
    return static_cast<double>(Time->Count) / 1e9;
  return -std::numeric_limits<double>::infinity();
}

bool comesBefore(const Cell &A, const Cell &B) {
  const auto *TextA = std::get_if<std::string>(&A.Value);
  const auto *TextB = std::get_if<std::string>(&B.Value);
  if (TextA && TextB)
    return *TextA < *TextB;
  return sortKey(A) > sortKey(B);
}

std::optional<size_t> findColumn(const Table &In, const std::string &Key) {
  for (size_t I = 0; I < In.Columns.size(); ++I)
    if (In.Columns[I].Key == Key)
      return I;
  return std::nullopt;
}

std::string noSuchColumn(const Table &In, const char *Flag,
                         const std::string &Key) {
  std::string Known;
  for (const Column &Each : In.Columns)
    Known += (Known.empty() ? "" : ", ") + Each.Key;
  return fmt::format("{}: this view has no column '{}'; use one of {}", Flag,
                     Key, Known);
}

std::string filterRows(Table &To, const std::string &Pattern) {
  // The standard library reports a bad expression by an exception; it goes no
  // further than this.
  std::regex Expression;
  try {
    Expression = std::regex(Pattern);
    std::erase_if(To.Rows, [&](const Row &Each) {
      const auto *Name = Each.Cells.empty()
                             ? nullptr
                             : std::get_if<std::string>(&Each.Cells[0].Value);
      return !Each.IsTotal && (!Name || !std::regex_search(*Name, Expression));
    });
  } catch (const std::regex_error &) {
    return fmt::format("--filter: '{}' is not a regular expression", Pattern);
  }
  return {};
}

std::string pickColumns(Table &To, const std::vector<std::string> &Keys) {
  std::vector<size_t> Picked;
  for (const std::string &Key : Keys) {
    std::optional<size_t> Found = findColumn(To, Key);
    if (!Found)
      return noSuchColumn(To, "--columns", Key);
    Picked.push_back(*Found);
  }
  auto Pick = [&](auto &From) {
    std::remove_reference_t<decltype(From)> Out;
    for (size_t I : Picked)
      Out.push_back(From[I]);
    From = std::move(Out);
  };
  for (Row &Each : To.Rows)
    Pick(Each.Cells);
  Pick(To.Columns);
  return {};
}

void limitRows(Table &To, size_t Limit) {
  size_t Kept = 0;
  size_t Before = To.Rows.size();
  std::erase_if(To.Rows, [&](const Row &Each) {
    return !Each.IsTotal && ++Kept > Limit;
  });
  To.HiddenRows += Before - To.Rows.size();
}

std::string applyToTable(Table &To, const ViewOptions &Options, size_t Limit) {
  if (!Options.Filter.empty())
    if (std::string Why = filterRows(To, Options.Filter); !Why.empty())
      return Why;
  if (!Options.Sort.empty()) {
    std::optional<size_t> By = findColumn(To, Options.Sort);
    if (!By)
      return noSuchColumn(To, "--sort", Options.Sort);
    std::stable_sort(To.Rows.begin(), To.Rows.end(),
                     [&](const Row &A, const Row &B) {
                       if (A.IsTotal != B.IsTotal)
                         return false;
                       return comesBefore(A.Cells[*By], B.Cells[*By]);
                     });
  }
  bool ForPrograms =
      Options.Output == Format::Csv || Options.Output == Format::Json;
  size_t Rows = Options.Rows.value_or(ForPrograms ? 0 : Limit);
  if (Rows != 0)
    limitRows(To, Rows);
  return Options.Columns.empty() ? std::string()
                                 : pickColumns(To, Options.Columns);
}

// The tables of the host and of GPUs have different columns: those that lack
// one of the wanted are left out.
std::string keepTablesWith(Section &To, const ViewOptions &Options) {
  std::vector<std::string> Wanted = Options.Columns;
  if (!Options.Sort.empty())
    Wanted.push_back(Options.Sort);
  std::vector<Table> Kept;
  std::string Why;
  for (const Table &Each : To.Tables) {
    auto Missing =
        std::find_if(Wanted.begin(), Wanted.end(), [&](const std::string &Key) {
          return !findColumn(Each, Key);
        });
    if (Missing == Wanted.end())
      Kept.push_back(Each);
    else
      Why = noSuchColumn(
          Each, Options.Sort == *Missing ? "--sort" : "--columns", *Missing);
  }
  if (Kept.empty())
    return Why;
  To.Tables = std::move(Kept);
  return {};
}

constexpr size_t OperatorsUnlessAsked = 20;

// The overview's tables have different columns; options speak of the first.
bool hasOneKindOfRow(View Which) {
  return Which == View::Simple || Which == View::Operators ||
         Which == View::Kernels || Which == View::Overview ||
         Which == View::Devices;
}

} // namespace

Result<Section> applyOptions(Section To, View Which,
                             const ViewOptions &Options) {
  // Its tables are ordered and cut as they are built: their heads say how.
  if (Which == View::Advanced && Options.Filter.empty() &&
      Options.Columns.empty())
    return To;
  bool Any = !Options.Sort.empty() || !Options.Filter.empty() ||
             !Options.Columns.empty() || Options.Rows;
  if (Any && !hasOneKindOfRow(Which))
    return Error{fmt::format("--sort, --rows, --columns and --filter are for "
                             "the views simple, operators, kernels, "
                             "devices and overview, not for {}",
                             viewName(Which))};
  if (Which == View::Devices)
    if (std::string Why = keepTablesWith(To, Options); !Why.empty())
      return Error{fmt::format("{}: {}", To.File, Why)};
  size_t Limit = Which == View::Operators ? OperatorsUnlessAsked : 0;
  for (Table &Each : To.Tables) {
    std::string Why = applyToTable(Each, Options, Limit);
    if (!Why.empty())
      return Error{fmt::format("{}: {}", To.File, Why)};
    if (Which == View::Overview)
      break;
  }
  return To;
}

} // namespace loopscope
