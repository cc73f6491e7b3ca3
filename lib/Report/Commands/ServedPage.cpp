// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes and answers.

#include "Report/Commands/ServedPage.h"

#include "Report/Commands/Output.h"
#include "Support/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <system_error>

using namespace loopscope;

namespace {
const char *const HtmlType = "text/html; charset=utf-8";

// TEXT where HTML is read.
std::string escaped(std::string_view Text) {
  std::string Safe;
  for (char C : Text) {
    if (C == '<' || C == '>' || C == '&' || C == '"')
      Safe += fmt::format("&#{};", static_cast<int>(C));
    else
      Safe += C;
  }
  return Safe;
}

// A page that says why there is none.
HttpAnswer sorry(const std::string &Why) {
  return {
      404,
      fmt::format(
          "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
          "<meta http-equiv=\"Content-Security-Policy\" "
          "content=\"default-src 'none'\"><title>Loopscope</title></head>"
          "<body><main><h1>Nothing to show</h1><p>{}</p><p>Reload this "
          "page when the file is there.</p></main></body></html>\n",
          escaped(printable(Why))),
      HtmlType};
}

// The words of "a=1&b=2", each of which has a number below 2^63 and comes once.
std::optional<std::map<std::string_view, int64_t>>
numbersOf(std::string_view Query) {
  std::map<std::string_view, int64_t> Found;
  while (!Query.empty()) {
    std::string_view Word = Query.substr(0, Query.find('&'));
    Query.remove_prefix(std::min(Query.size(), Word.size() + 1));
    size_t Equal = Word.find('=');
    if (Equal == Word.npos)
      return std::nullopt;
    const char *From = Word.data() + Equal + 1;
    const char *Last = Word.data() + Word.size();
    int64_t Number = 0;
    auto [End, Code] = std::from_chars(From, Last, Number);
    if (Code != std::errc() || End != Last || Number < 0 ||
        !Found.emplace(Word.substr(0, Equal), Number).second)
      return std::nullopt;
  }
  return Found;
}
} // namespace

std::vector<ServedPage::FileState>
ServedPage::statesOf(const std::vector<std::string> &Files) {
  std::vector<FileState> States;
  for (const std::string &Each : Files) {
    struct stat Status{};
    if (stat(Each.c_str(), &Status) != 0)
      Status = {};
    States.emplace_back(Status.st_dev, Status.st_ino, Status.st_size,
                        Status.st_mtim.tv_sec * int64_t{1'000'000'000} +
                            Status.st_mtim.tv_nsec);
  }
  return States;
}

std::shared_ptr<const ServedPage::Made> ServedPage::now() const {
  std::lock_guard<std::mutex> Lock(Changing);
  return Newest;
}

void ServedPage::make() {
  auto New = std::make_shared<Made>();
  std::shared_ptr<const Made> Before = now();
  New->Number = Before ? Before->Number + 1 : 1;
  // A directory's state changes with its files' names.
  std::vector<FileState> OfPaths = statesOf(Paths);
  HtmlInputs Inputs = readHtmlInputs(Paths, Options, true);
  New->Files = Paths;
  New->States = std::move(OfPaths);
  std::vector<FileState> OfFiles = statesOf(Inputs.Files);
  New->Files.insert(New->Files.end(), Inputs.Files.begin(), Inputs.Files.end());
  New->States.insert(New->States.end(), OfFiles.begin(), OfFiles.end());
  New->IsRunning = Inputs.IsRunning;
  if (Inputs.Page.Runs.empty()) {
    New->Problem = Inputs.Problems.front();
  } else {
    HtmlServer From{New->Number, {}};
    for (uint32_t I = 0; I < Inputs.Spans.size(); ++I)
      if (Inputs.Spans[I].size() != 0)
        From.Runs.push_back(I);
    if (Result<std::string> Page = printHtml(Inputs.Page, &From))
      New->Page = std::move(*Page);
    else
      printError(New->Problem = Page.error().Message);
    New->Spans = std::move(Inputs.Spans);
  }
  std::lock_guard<std::mutex> Lock(Changing);
  Newest = std::move(New);
}

bool ServedPage::start() {
  make();
  return Newest->Problem.empty();
}

std::shared_ptr<const ServedPage::Made> ServedPage::refreshed() {
  // Those who wait for the same change get the same page.
  std::lock_guard<std::mutex> Lock(Making);
  std::shared_ptr<const Made> Before = now();
  if (Before->IsRunning || statesOf(Before->Files) != Before->States)
    make();
  return now();
}

HttpAnswer ServedPage::window(const std::string &Query) const {
  auto Numbers = numbersOf(Query);
  if (!Numbers || Numbers->size() != 4)
    return {400};
  std::array<int64_t, 4> Values{};
  size_t Count = 0;
  for (const char *Name : {"page", "run", "from", "to"}) {
    auto At = Numbers->find(Name);
    if (At == Numbers->end())
      return {400};
    Values[Count++] = At->second;
  }
  auto [Number, Index, From, To] = Values;
  if (From >= To)
    return {400};
  std::shared_ptr<const Made> Of = now();
  if (static_cast<uint64_t>(Number) != Of->Number)
    return {410};
  if (static_cast<uint64_t>(Index) >= Of->Spans.size() ||
      Of->Spans[static_cast<size_t>(Index)].size() == 0)
    return {404};
  return {200,
          printWindow(Of->Spans[static_cast<size_t>(Index)].window(From, To)),
          "application/json"};
}

HttpAnswer ServedPage::answer(const HttpRequest &Request) {
  if (Request.Path == "/window")
    return window(Request.Query);
  if (Request.Path != "/")
    return {404};
  std::shared_ptr<const Made> Of = refreshed();
  return Of->Problem.empty() ? HttpAnswer(200, Of->Page, HtmlType)
                             : sorry(Of->Problem);
}
