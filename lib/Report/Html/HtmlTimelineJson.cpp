// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline's numbers for the page. There are millions, so they are bytes in
// base64, as page/spans.js reads them.
//
//   number   7 bits a byte, the lowest first; a byte of 128 or more goes on
//   signed   a number: twice the value, or of a negative one twice -value - 1
//   spans    by window and start: time since the start of the one before or of
//            the window, signed; length; path; on tracks with launches 0, or 1
//            + the launch's track, and then the signed time since the launch
//   cells    by column: a byte each, but of zeros 0 and their count

#include "Report/Html/HtmlJson.h"
#include "Report/Html/HtmlSpans.h"

#include <algorithm>
#include <string_view>

using namespace loopscope;
using nlohmann::ordered_json;

namespace {
// Bytes as text.
std::string base64(std::string_view Bytes) {
  constexpr std::string_view Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "abcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string Text;
  Text.reserve((Bytes.size() + 2) / 3 * 4);
  for (size_t I = 0; I < Bytes.size(); I += 3) {
    uint32_t Bits = 0;
    size_t Count = std::min<size_t>(3, Bytes.size() - I);
    for (size_t J = 0; J < 3; ++J)
      Bits = Bits << 8 |
             (J < Count ? static_cast<unsigned char>(Bytes[I + J]) : 0U);
    for (size_t J = 0; J < 4; ++J)
      Text += J <= Count ? Digits[Bits >> (18 - 6 * J) & 63] : '=';
  }
  return Text;
}

void addNumber(uint64_t Value, std::string &To) {
  for (; Value >= 128; Value >>= 7)
    To += static_cast<char>(128 | (Value & 127));
  To += static_cast<char>(Value);
}

void addSigned(int64_t Value, std::string &To) {
  uint64_t Twice = static_cast<uint64_t>(Value) << 1;
  addNumber(Value < 0 ? ~Twice : Twice, To);
}

using Windows = std::vector<HtmlTimeline::Window>;

bool hasLaunches(const Windows &All) {
  return std::any_of(All.begin(), All.end(), [](const auto &W) {
    return std::any_of(W.Spans.begin(), W.Spans.end(),
                       [](const HtmlSpan &S) { return S.LaunchTrack != None; });
  });
}

std::string spanBytes(const Windows &All, bool WithLaunches) {
  std::string Bytes;
  for (const HtmlTimeline::Window &W : All) {
    int64_t Before = W.FromNs;
    for (const HtmlSpan &S : W.Spans) {
      addSigned(S.At.StartNs - Before, Bytes);
      Before = S.At.StartNs;
      addNumber(static_cast<uint64_t>(S.At.EndNs - S.At.StartNs), Bytes);
      addNumber(S.At.Path, Bytes);
      if (!WithLaunches)
        continue;
      bool IsLaunched = S.LaunchTrack != None;
      addNumber(IsLaunched ? uint64_t{S.LaunchTrack} + 1 : 0, Bytes);
      if (IsLaunched)
        addSigned(S.At.StartNs - S.LaunchNs, Bytes);
    }
  }
  return Bytes;
}

std::string cellBytes(const HtmlTimeline::Track &T) {
  std::string Bytes;
  for (const std::vector<uint8_t> &Column : T.Cells)
    for (size_t I = 0; I < Column.size();) {
      Bytes += static_cast<char>(Column[I]);
      if (Column[I++] != 0)
        continue;
      size_t First = I;
      while (I < Column.size() && Column[I] == 0)
        ++I;
      addNumber(I - First + 1, Bytes);
    }
  return Bytes;
}

// Adds the single spans of ALL to a track.
void addWindows(const Windows &All, ordered_json &To) {
  ordered_json Places = ordered_json::array();
  for (const HtmlTimeline::Window &W : All)
    Places.push_back({W.FromNs, W.ToNs, W.Spans.size()});
  bool WithLaunches = hasLaunches(All);
  To["windows"] = std::move(Places);
  To["launches"] = WithLaunches;
  To["spans"] = base64(spanBytes(All, WithLaunches));
}

ordered_json trackJson(const HtmlTimeline::Track &T) {
  ordered_json Paths = ordered_json::array();
  for (const HtmlTimeline::Path &P : T.Paths)
    Paths.push_back({P.Name, indexJson(P.Parent), P.Depth, indexJson(P.Node),
                     P.Ns, P.Spans});
  ordered_json Columns = ordered_json::array();
  for (uint32_t Each : T.ColumnPaths)
    Columns.push_back(indexJson(Each));
  ordered_json Track = {
      {"name", T.Name}, {"count", T.Spans}, {"paths", std::move(Paths)}};
  addWindows(T.Windows, Track);
  Track["columns"] = std::move(Columns);
  Track["cells"] = base64(cellBytes(T));
  return Track;
}
} // namespace

ordered_json loopscope::timelineJson(const HtmlTimeline &T) {
  if (T.Tracks.empty())
    return nullptr;
  ordered_json Tracks = ordered_json::array();
  for (const HtmlTimeline::Track &Each : T.Tracks)
    Tracks.push_back(trackJson(Each));
  return {{"note", T.Note},
          {"more", T.More},
          {"from", T.FromNs},
          {"to", T.ToNs},
          {"cells", T.CellCount},
          {"names", T.Names},
          {"tracks", std::move(Tracks)}};
}

std::string loopscope::printWindow(const HtmlSpanWindow &Of) {
  ordered_json Tracks = ordered_json::array();
  for (const HtmlSpanWindow::Track &Each : Of.Tracks) {
    ordered_json Paths = ordered_json::array();
    for (const auto &[OnPage, P] : Each.Paths)
      Paths.push_back({P.Name, indexJson(P.Parent), P.Depth, indexJson(P.Node),
                       indexJson(OnPage)});
    Tracks.push_back({{"track", Each.Index}, {"paths", std::move(Paths)}});
    addWindows({Each.Spans}, Tracks.back());
  }
  ordered_json Window = {{"from", Of.FromNs},
                         {"to", Of.ToNs},
                         {"cut", Of.IsCut},
                         {"tracks", std::move(Tracks)}};
  return Window.dump();
}
