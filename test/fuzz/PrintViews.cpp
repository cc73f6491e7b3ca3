// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The views and printers for a fuzzer's input.

#include "PrintViews.h"

#include "Report/Print/Printers.h"
#include "Report/Views/BuildSection.h"
#include "Report/Views/View.h"

using namespace loopscope;

namespace {
// Extracts the next choice among CHOICES.
size_t next(size_t &Choice, size_t Choices) {
  size_t Out = Choice % Choices;
  Choice /= Choices;
  return Out;
}

Result<Section> merged(const Run &From, const View &Which,
                       const ViewOptions &Options) {
  Merger Merging(Which, Options);
  for (int Copies = 0; Copies < 2; ++Copies)
    if (std::optional<Error> Why = Merging.add(From))
      return *Why;
  return Merging.finish();
}
} // namespace

void loopscope::printView(const Run &From, size_t Choice) {
  const View &Which = *allViews()[next(Choice, allViews().size())];
  ViewOptions Options;
  Options.Stats = true;
  if (next(Choice, 2) == 0)
    Options.By = Which.Groups[next(Choice, Which.Groups.size())];
  if (next(Choice, 4) == 0)
    Options.Stage = next(Choice, 2) == 0 ? "fit" : "outside";
  if (next(Choice, 4) == 0)
    Options.Filter = "a";
  if (next(Choice, 4) == 0)
    Options.Rows = next(Choice, 2) == 0 ? 0 : 3;
  if (From.By->HasDocuments && next(Choice, 2) == 0)
    Options.Output = Format::TensorBoardJson;
  Result<Section> S = next(Choice, 4) == 0 ? merged(From, Which, Options)
                                           : sectionOf(From, Which, Options);
  if (!S)
    return;
  printText({*S}, Terminal{80});
  printCsv({*S}, next(Choice, 2) == 0);
  printJson({*S});
}
