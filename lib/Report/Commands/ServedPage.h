// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What `loopscope view` answers: the page of its inputs, made again when they
// have changed, and the spans that a page asks for.
//
//   /                                the page
//   /window?page=N&run=R&from=NS&to=NS   spans of run R of page number N, in
//                                    times of its timeline

#ifndef LOOPSCOPE_REPORT_COMMANDS_SERVEDPAGE_H
#define LOOPSCOPE_REPORT_COMMANDS_SERVEDPAGE_H

#include "Report/Commands/HtmlInputs.h"
#include "Support/HttpRequest.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace loopscope {

/// The page and its spans. Any number of threads may ask.
class ServedPage {
public:
  /// Of \p Paths, as \p Options want them.
  ServedPage(std::vector<std::string> Paths, ViewOptions Options)
      : Paths(std::move(Paths)), Options(std::move(Options)) {}

  /// Reads the inputs; prints why and returns false if there is nothing to
  /// show.
  bool start();

  /// The answer to a request for the page or for spans; 404 for any other.
  HttpAnswer answer(const HttpRequest &Request);

private:
  /// Of a file: device, number, size, time of the last change in ns; zeros
  /// where there is none.
  using FileState = std::tuple<uint64_t, uint64_t, int64_t, int64_t>;
  /// A page as it was made once; never changes.
  struct Made {
    uint64_t Number = 0;
    std::string Page;
    std::string Problem; ///< why there is no page
    std::vector<HtmlSpans> Spans;
    std::vector<std::string> Files;
    std::vector<FileState> States; ///< of Files, before they were read
    bool IsRunning = false;
  };

  static std::vector<FileState> statesOf(const std::vector<std::string> &Files);
  std::shared_ptr<const Made> now() const;
  std::shared_ptr<const Made> refreshed();
  void make();
  HttpAnswer window(const std::string &Query) const;

  std::vector<std::string> Paths;
  ViewOptions Options;
  std::mutex Making; ///< held by the one who makes a page
  mutable std::mutex Changing;
  std::shared_ptr<const Made> Newest; ///< guarded by Changing
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_SERVEDPAGE_H
