// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans summed up in cells of time.

#include "Analysis/Steps/SpanCells.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

using namespace loopscope;

// By path, a time that is at least that of each path below it.
static std::vector<int64_t> weights(std::vector<int64_t> Own,
                                    const std::vector<uint32_t> &Parents) {
  std::vector<int64_t> Below(Parents.size(), 0);
  for (size_t I = Parents.size(); I-- > 0;) {
    Own[I] = std::max(Own[I], Below[I]);
    if (Parents[I] != None)
      Below[Parents[I]] = saturatingAdd(Below[Parents[I]], Own[I]);
  }
  return Own;
}

SpanColumns loopscope::spanColumns(const std::vector<int64_t> &Ns,
                                   const std::vector<uint32_t> &Parents,
                                   size_t Most) {
  std::vector<int64_t> Weights = weights(Ns, Parents);
  std::vector<uint32_t> Order(Parents.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::stable_sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return Weights[A] > Weights[B];
  });
  bool IsCut = Order.size() > Most;
  if (IsCut)
    Order.resize(Most - 1);
  SpanColumns Result{Order, std::vector<uint32_t>(Parents.size(), None)};
  for (size_t I = 0; I < Order.size(); ++I)
    Result.Of[Order[I]] = static_cast<uint32_t>(I);
  if (IsCut)
    Result.Paths.push_back(None);
  for (size_t I = 0; I < Parents.size(); ++I)
    if (Result.Of[I] == None)
      Result.Of[I] = Parents[I] == None
                         ? static_cast<uint32_t>(Result.Paths.size() - 1)
                         : Result.Of[Parents[I]];
  return Result;
}

SpanCells::SpanCells(SpanColumns Columns, const CellGrid &Grid)
    : Columns(std::move(Columns)), Grid(Grid), CellNs(Grid.cellNs()),
      Sums(this->Columns.Paths.size(), std::vector<float>(Grid.Count, 0)),
      Done(Grid.FromNs) {}

void SpanCells::addOwn(uint32_t Path, int64_t StartNs, int64_t EndNs) {
  if (EndNs <= StartNs)
    return;
  auto Place = [this](int64_t Ns) {
    return std::clamp(static_cast<double>(Ns - Grid.FromNs) / CellNs, 0.0,
                      static_cast<double>(Grid.Count));
  };
  std::vector<float> &To = Sums[Columns.Of[Path]];
  double From = Place(StartNs);
  double Until = Place(EndNs);
  size_t Cell = std::min(static_cast<size_t>(From), Grid.Count - 1);
  size_t Last = std::min(static_cast<size_t>(Until), Grid.Count - 1);
  if (Cell == Last) {
    To[Cell] += static_cast<float>(Until - From);
    return;
  }
  To[Cell] += static_cast<float>(static_cast<double>(Cell + 1) - From);
  for (size_t I = Cell + 1; I < Last; ++I)
    To[I] += 1;
  To[Last] += static_cast<float>(Until - static_cast<double>(Last));
}

// Adds what has passed to the innermost open span.
void SpanCells::addUntil(int64_t Ns) {
  if (!Open.empty())
    addOwn(Open.back().Path, Done, Ns);
  Done = std::max(Done, Ns);
}

// Closes spans that end until NS.
void SpanCells::closeUntil(int64_t Ns) {
  for (; !Open.empty() && Open.back().EndNs <= Ns; Open.pop_back())
    addUntil(Open.back().EndNs);
}

void SpanCells::add(const TrackSpan &Span) {
  closeUntil(Span.StartNs);
  addUntil(Span.StartNs);
  // What ends before this one isn't around it.
  while (!Open.empty() && Open.back().EndNs < Span.EndNs)
    Open.pop_back();
  Open.push_back(Span);
}

std::vector<std::vector<uint8_t>> SpanCells::finish() {
  closeUntil(INT64_MAX);
  std::vector<std::vector<uint8_t>> Result;
  for (const std::vector<float> &Column : Sums) {
    Result.emplace_back();
    double Carried = 0;
    for (float Share : Column) {
      double Wanted = static_cast<double>(Share) * 255 + Carried;
      double Byte = std::clamp(std::floor(Wanted + 0.5), 0.0, 255.0);
      Carried = Wanted - Byte;
      Result.back().push_back(static_cast<uint8_t>(Byte));
    }
  }
  return Result;
}
