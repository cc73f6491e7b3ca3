// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters, sorts and limits tables.

#include "Report/Views/TableOptions.h"

#include "Run/Combine/SelectStage.h"
#include "Support/Numbers.h"
#include "Support/Order.h"
#include "Support/Suggest.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>
#include <regex>
#include <span>
#include <utility>
#include <vector>

namespace loopscope {
namespace {

bool isForPrograms(const ViewOptions &Options) {
  return Options.Output == Format::Csv || Options.Output == Format::Json;
}

// A cell as a number to sort by; cells without a value come last.
double sortKey(const Cell &C) {
  if (const auto *Whole = std::get_if<int64_t>(&C.Value))
    return static_cast<double>(*Whole);
  if (const auto *Real = std::get_if<double>(&C.Value))
    return *Real;
  if (const auto *Time = std::get_if<Nanoseconds>(&C.Value))
    return static_cast<double>(Time->Count) / NsPerSecond;
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

// Lists the columns that TABLES have, each once.
std::string noSuchColumn(std::span<const Table> Tables, const char *Flag,
                         const std::string &Key) {
  std::vector<std::string> Known;
  for (const Table &T : Tables)
    for (const Column &Each : T.Columns)
      if (std::find(Known.begin(), Known.end(), Each.Key) == Known.end())
        Known.push_back(Each.Key);
  return fmt::format("{}: this view has no column '{}'; {}", Flag, Key,
                     chooseFrom(Key, Known));
}

// The index after the row AT and all rows below it.
size_t endOfSubtree(const std::vector<Row> &Rows, size_t At) {
  size_t End = At + 1;
  while (End < Rows.size() && Rows[End].Depth > Rows[At].Depth)
    ++End;
  return End;
}

// Keeps the rows for which KEEP is true, and totals; returns how many were
// removed.
size_t keepRows(Table &To, const std::vector<bool> &Keep) {
  std::vector<Row> Left;
  for (size_t I = 0; I < To.Rows.size(); ++I)
    if (To.Rows[I].IsTotal || Keep[I])
      Left.push_back(std::move(To.Rows[I]));
  size_t Gone = To.Rows.size() - Left.size();
  To.Rows = std::move(Left);
  return Gone;
}

// Text shows a label that rows share on the first of them, whichever that now
// is.
void showLabels(Table &To) {
  const Cell *Before = nullptr;
  for (Row &Each : To.Rows) {
    Cell &Label = Each.Cells[0];
    bool IsSame = Before && Before->Value == Label.Value;
    Label.Text = IsSame ? " " : "";
    Before = &Label;
  }
}

std::string filterRows(Table &To, const std::string &Pattern, size_t Column) {
  std::vector<bool> Keep(To.Rows.size());
  std::optional<std::regex> Expression = filterExpression(Pattern);
  if (!Expression)
    return badFilter(Pattern);
  for (size_t I = 0; I < To.Rows.size(); ++I) {
    const auto *Name =
        std::get_if<std::string>(&To.Rows[I].Cells[Column].Value);
    // Below a match, everything is kept already.
    if (Keep[I] || To.Rows[I].IsTotal || !Name ||
        !std::regex_search(*Name, *Expression))
      continue;
    // Keeps what is below, and what is above.
    std::fill(Keep.begin() + static_cast<ptrdiff_t>(I),
              Keep.begin() + static_cast<ptrdiff_t>(endOfSubtree(To.Rows, I)),
              true);
    int Depth = To.Rows[I].Depth;
    for (size_t Above = I; Above-- > 0 && Depth > 0;)
      if (To.Rows[Above].Depth < Depth) {
        if (Keep[Above])
          break; // and so do those above it
        Keep[Above] = true;
        Depth = To.Rows[Above].Depth;
      }
  }
  if (size_t Gone = keepRows(To, Keep); Gone != 0)
    To.Notes.insert(To.Notes.begin(),
                    fmt::format("{} without a match of --filter {} hidden.",
                                counted(Gone, "row"),
                                Gone == 1 ? "is" : "are"));
  return {};
}

// Sorts siblings; rows move with everything below them. Deepest levels first,
// so that a subtree is sorted before it moves.
void sortTree(std::vector<Row> &Rows, size_t Column) {
  std::vector<size_t> Starts;
  int Deepest = 0;
  for (const Row &Each : Rows)
    Deepest = std::max(Deepest, Each.Depth);
  for (int Depth = Deepest; Depth >= 0; --Depth)
    for (size_t At = 0; At < Rows.size();) {
      if (Rows[At].Depth != Depth || Rows[At].IsTotal) {
        ++At;
        continue;
      }
      size_t End = At;
      Starts.clear();
      while (End < Rows.size() && Rows[End].Depth == Depth &&
             !Rows[End].IsTotal) {
        Starts.push_back(End);
        End = endOfSubtree(Rows, End);
      }
      std::stable_sort(Starts.begin(), Starts.end(), [&](size_t A, size_t B) {
        return comesBefore(Rows[A].Cells[Column], Rows[B].Cells[Column]);
      });
      std::vector<Row> Sorted;
      for (size_t Start : Starts)
        for (size_t I = Start, Past = endOfSubtree(Rows, Start); I < Past; ++I)
          Sorted.push_back(Rows[I]);
      std::move(Sorted.begin(), Sorted.end(),
                Rows.begin() + static_cast<ptrdiff_t>(At));
      At = End;
    }
}

std::string sortRows(Table &To, const std::string &Key) {
  std::optional<size_t> By = findColumn(To, Key);
  if (!By)
    return noSuchColumn({&To, 1}, "--sort", Key);
  if (isTree(To)) {
    sortTree(To.Rows, *By);
    return {};
  }
  std::stable_sort(To.Rows.begin(), To.Rows.end(),
                   [&](const Row &A, const Row &B) {
                     if (A.IsTotal != B.IsTotal)
                       return false;
                     return comesBefore(A.Cells[*By], B.Cells[*By]);
                   });
  return {};
}

// Keeps the columns KEYS, at least one of which the table has.
void pickColumns(Table &To, const std::vector<std::string> &Keys) {
  std::vector<size_t> Picked;
  for (const std::string &Key : Keys)
    if (std::optional<size_t> Found = findColumn(To, Key))
      Picked.push_back(*Found);
  auto Pick = [&](auto &From) {
    std::remove_reference_t<decltype(From)> Out;
    for (size_t I : Picked)
      Out.push_back(From[I]);
    From = std::move(Out);
  };
  for (Row &Each : To.Rows)
    Pick(Each.Cells);
  Pick(To.Columns);
  // Requested columns are never dropped, and cProfile's layout has fixed
  // columns.
  for (Column &Each : To.Columns)
    Each.Priority = 0;
  if (To.TextLayout == Layout::CProfile)
    To.TextLayout = Layout::Plain;
}

// Keeps the tables that have any of the requested columns, with these columns.
// csv is one table: there each gets all of them, in their order.
std::string pickColumns(std::vector<Table> &Tables,
                        const ViewOptions &Options) {
  const std::vector<std::string> &Keys = Options.Columns;
  auto HasColumn = [](const std::string &Key) {
    return [&Key](const Table &T) { return findColumn(T, Key).has_value(); };
  };
  for (const std::string &Key : Keys)
    if (std::none_of(Tables.begin(), Tables.end(), HasColumn(Key)))
      return noSuchColumn(Tables, "--columns", Key);
  std::erase_if(Tables, [&](const Table &T) {
    return std::none_of(Keys.begin(), Keys.end(), [&](const std::string &Key) {
      return HasColumn(Key)(T);
    });
  });
  for (Table &Each : Tables) {
    for (const std::string &Key : Keys)
      if (Options.Output == Format::Csv && !findColumn(Each, Key)) {
        Each.Columns.push_back({Key, "", Style::Text});
        for (Row &R : Each.Rows)
          R.Cells.emplace_back();
      }
    pickColumns(Each, Keys);
  }
  return {};
}

std::string applyToTable(Table &To, const TableShape &As,
                         const ViewOptions &Options) {
  std::string Why;
  if (!Options.Filter.empty())
    Why = filterRows(To, Options.Filter, As.NameColumn);
  if (As.HasLabels)
    showLabels(To);
  if (Why.empty() && !Options.Sort.empty() && !As.OrdersItself)
    Why = sortRows(To, Options.Sort);
  size_t Rows =
      Options.Rows.value_or(isForPrograms(Options) ? 0 : As.RowsUnlessAsked);
  if (Rows != 0 && As.Cuts)
    limitRows(To, Rows);
  return Why;
}

// Tables of the host and of GPUs have different columns: those that lack all of
// the requested ones are left out.
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
      Why = noSuchColumn({&Each, 1},
                         Options.Sort == *Missing ? "--sort" : "--columns",
                         *Missing);
  }
  if (Kept.empty())
    return Why;
  To.Tables = std::move(Kept);
  return {};
}

// "fit" is the stage of the tables "fit" and "fit_gpu_0".
std::string stageOf(const Table &T) { return T.Id.substr(0, T.Id.find('_')); }

std::string keepStage(Section &To, const std::string &Stage) {
  std::vector<std::string> Known;
  for (const Table &Each : To.Tables)
    if (std::string Next = stageOf(Each); Known.empty() || Known.back() != Next)
      Known.push_back(std::move(Next));
  std::erase_if(To.Tables,
                [&](const Table &Each) { return stageOf(Each) != Stage; });
  return To.Tables.empty() ? noSuchStage(Stage, Known) : std::string();
}

// The word for BY in --by; BY isn't Own.
std::string_view groupName(Grouping By) {
  for (const auto &[Name, Each] : groupNames())
    if (Each == By)
      return Name;
  return {};
}

// "the tree, kernels and operators views": those that can be grouped by BY.
std::string viewsWith(Grouping By) {
  std::vector<std::string_view> Names;
  for (const View *Each : allViews())
    if (canGroup(*Each, By))
      Names.emplace_back(Each->Name);
  std::string_view Last = Names.back();
  Names.pop_back();
  return Names.empty()
             ? fmt::format("the {} view", Last)
             : fmt::format("the {} and {} views", fmt::join(Names, ", "), Last);
}

// Why the view can't apply OPTIONS; empty if it can.
std::string refusal(const View &Which, const ViewOptions &Options) {
  const TableShape &As = Which.Shape;
  if (!canGroup(Which, Options.By))
    return fmt::format("--by {} is for {}, not for {}", groupName(Options.By),
                       viewsWith(Options.By), Which.Name);
  if (As.DataOnly && !isForPrograms(Options) &&
      (!Options.Sort.empty() || !Options.Columns.empty()))
    return fmt::format("--sort and --columns are for the {} in csv and json, "
                       "whose rows are pieces; its bars are in order of time",
                       Which.Name);
  if (!Options.Sort.empty() && !As.Sorts)
    return fmt::format("--sort: the {} view has a fixed order", Which.Name);
  if (Options.Rows && !As.Cuts && !As.CutsItself)
    return fmt::format("--rows: the {} view always has all rows; use --filter",
                       Which.Name);
  return {};
}
} // namespace

std::optional<std::regex> filterExpression(const std::string &Pattern) {
  // The standard library reports bad expressions by exceptions, which stay in
  // here.
  try {
    return std::regex(Pattern);
  } catch (const std::regex_error &) {
    return std::nullopt;
  }
}

std::string badFilter(const std::string &Pattern) {
  return fmt::format("--filter: '{}' is not a regular expression", Pattern);
}

void limitRows(Table &To, size_t Limit) {
  std::vector<bool> Keep(To.Rows.size());
  std::vector<size_t> Order;
  for (size_t I = 0; I < To.Rows.size(); ++I)
    if (!To.Rows[I].IsTotal)
      Order.push_back(I);
  // A tree's second column is the time including everything below, so the
  // parents of a kept row have at least as much, come before it, and are kept
  // as well.
  if (isTree(To))
    if (std::optional<size_t> Time = findColumn(To, "inclusive_s"))
      sortLargestFirst(
          Order, [&](size_t A) { return sortKey(To.Rows[A].Cells[*Time]); });
  for (size_t I = 0; I < std::min(Limit, Order.size()); ++I)
    Keep[Order[I]] = true;
  To.HiddenRows += keepRows(To, Keep);
}

Result<Section> applyOptions(Section To, const View &Which,
                             const ViewOptions &Options) {
  const TableShape &As = Which.Shape;
  std::string Why = refusal(Which, Options);
  // Its rows were chosen with the steps, and its bars with their pieces.
  if (Why.empty() && As.DataOnly && !isForPrograms(Options))
    return To;
  if (Why.empty() && !Options.Stage.empty() && Which.HasStageTables)
    Why = keepStage(To, Options.Stage);
  if (Why.empty() && As.MixedColumns)
    Why = keepTablesWith(To, Options);
  for (Table &Each : To.Tables) {
    if (!Why.empty())
      break;
    Why = applyToTable(Each, As, Options);
    if (As.FirstOnly)
      break;
  }
  if (Why.empty() && !Options.Columns.empty())
    Why = pickColumns(To.Tables, Options);
  if (!Why.empty())
    return Error{fmt::format("{}: {}", To.File, Why)};
  return To;
}

} // namespace loopscope
