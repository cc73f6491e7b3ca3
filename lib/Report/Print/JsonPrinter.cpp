// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// json. A tree's rows nest in "children"; a total is beside the rows.

#include "Report/Print/Printers.h"
#include "Support/Numbers.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace loopscope;
using Json = nlohmann::ordered_json;

namespace {
Json valueOf(const Cell &C) {
  if (const auto *Text = std::get_if<std::string>(&C.Value))
    return *Text;
  if (const auto *Count = std::get_if<int64_t>(&C.Value))
    return *Count;
  if (const auto *Value = std::get_if<double>(&C.Value))
    return std::isfinite(*Value) ? Json(*Value) : Json();
  if (const auto *Ns = std::get_if<Nanoseconds>(&C.Value))
    return static_cast<double>(Ns->Count) / NsPerSecond;
  return nullptr;
}

Json objectOf(const Row &R, const Table &T) {
  Json Result = Json::object();
  for (size_t I = 0; I < R.Cells.size(); ++I)
    Result[T.Columns[I].Key] = valueOf(R.Cells[I]);
  return Result;
}

// Rows [First, Last) that are at least DEPTH deep, nested. Each level is built
// from its end, so every object is moved once.
Json nested(const Table &T) {
  bool Tree = isTree(T);
  std::vector<Json> Levels = {Json::array()};
  auto Close = [&](size_t Depth) {
    while (Levels.size() > Depth + 1) {
      Json Children = std::move(Levels.back());
      Levels.pop_back();
      if (!Levels.back().empty())
        Levels.back().back()["children"] = std::move(Children);
    }
  };
  for (const Row &R : T.Rows) {
    if (R.IsTotal)
      continue;
    auto Depth = static_cast<size_t>(R.Depth);
    Close(Depth);
    while (Levels.size() < Depth + 1)
      Levels.push_back(Json::array());
    Json Object = objectOf(R, T);
    if (Tree)
      Object["children"] = Json::array();
    Levels.back().push_back(std::move(Object));
  }
  Close(0);
  return std::move(Levels[0]);
}

Json tableOf(const Table &T) {
  Json Result;
  Result["id"] = T.Id;
  Result["title"] = T.Title;
  for (const Row &R : T.Rows)
    if (R.IsTotal)
      Result["total"] = objectOf(R, T);
  Result["rows"] = nested(T);
  Result["hidden_rows"] = T.HiddenRows;
  Result["notes"] = T.Notes;
  for (const auto &[Key, Count] : T.Counts)
    Result[Key] = Count;
  return Result;
}

Json fields(const std::vector<std::pair<std::string, Cell>> &Pairs) {
  Json Result = Json::object();
  for (const auto &[Key, Value] : Pairs)
    Result[Key] = valueOf(Value);
  return Result;
}
void newLine(std::string &Out, size_t Depth) {
  Out += '\n';
  Out.append(Depth * 2, ' ');
}

// As the library does it, except for doubles: it writes some with more digits
// than needed.
void write(const Json &Value, size_t Depth, std::string &Out) {
  if (Value.is_number_float()) {
    std::string Text = shortest(Value.get<double>());
    bool IsWhole = Text.find_first_of(".e") == std::string::npos;
    Out += Text + (IsWhole ? ".0" : "");
    return;
  }
  if (!Value.is_structured() || Value.empty()) {
    Out += Value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  Out += Value.is_object() ? '{' : '[';
  bool First = true;
  for (const auto &Each : Value.items()) {
    if (!First)
      Out += ',';
    First = false;
    newLine(Out, Depth + 1);
    if (Value.is_object())
      Out += jsonString(Each.key()) + ": ";
    write(Each.value(), Depth + 1, Out);
  }
  newLine(Out, Depth);
  Out += Value.is_object() ? '}' : ']';
}
} // namespace

std::string loopscope::jsonString(std::string_view Text) {
  return Json(Text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string loopscope::printJson(const std::vector<Section> &Report) {
  Json Result;
  Result["loopscope_report"] = JsonSchemaVersion;
  Result["sections"] = Json::array();
  for (const Section &S : Report) {
    Json Next;
    Next["file"] = S.File;
    Next["label"] = S.Label;
    Next["view"] = S.ViewName;
    Next["run"] = fields(S.Facts);
    for (const auto &[Key, Object] : S.Objects)
      Next["run"][Key] = fields(Object);
    Next["tables"] = Json::array();
    for (const Table &T : S.Tables) {
      for (const auto &[Key, Object] : T.Objects)
        if (!Next["run"].contains(Key))
          Next["run"][Key] = fields(Object);
      Next["tables"].push_back(tableOf(T));
    }
    Next["integrity"] = fields(S.Integrity);
    Result["sections"].push_back(std::move(Next));
  }
  std::string Out;
  write(Result, 0, Out);
  return Out + '\n';
}
