// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses heads of requests, and writes answers.

#include "Support/HttpRequest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

using namespace loopscope;

namespace {
constexpr size_t MaxTarget = 4096;

// Whether C may stand in a method or in a header's name.
bool isTokenLetter(char C) {
  constexpr std::string_view Others = "!#$%&'*+-.^_`|~";
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') || Others.find(C) != Others.npos;
}

bool isToken(std::string_view Word) {
  return !Word.empty() && std::all_of(Word.begin(), Word.end(), isTokenLetter);
}

bool isPrintable(char C) { return C > ' ' && C < 127; }

char lower(char C) {
  return C >= 'A' && C <= 'Z' ? static_cast<char>(C + ('a' - 'A')) : C;
}

bool isSame(std::string_view A, std::string_view B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](char X, char Y) { return lower(X) == lower(Y); });
}

// Takes the text before MARK off REST; all of it without one.
std::string_view takeUntil(std::string_view &Rest, std::string_view Mark) {
  size_t At = std::min(Rest.find(Mark), Rest.size());
  std::string_view Taken = Rest.substr(0, At);
  Rest.remove_prefix(std::min(Rest.size(), At + Mark.size()));
  return Taken;
}

std::string_view trimmed(std::string_view Text) {
  constexpr std::string_view Blanks = " \t";
  size_t First = std::min(Text.find_first_not_of(Blanks), Text.size());
  Text.remove_prefix(First);
  return Text.substr(0, Text.find_last_not_of(Blanks) + 1);
}

int parseRequestLine(std::string_view Line, HttpRequest &Into) {
  std::string_view Method = takeUntil(Line, " ");
  std::string_view Target = takeUntil(Line, " ");
  if (!isToken(Method) || Target.empty() || Target.front() != '/' ||
      !std::all_of(Target.begin(), Target.end(), isPrintable))
    return 400;
  if (Target.size() > MaxTarget)
    return 414;
  if (!Line.starts_with("HTTP/"))
    return 400;
  if (Line != "HTTP/1.1" && Line != "HTTP/1.0")
    return 505;
  Into.Method = Method;
  Into.Path = takeUntil(Target, "?");
  Into.Query = Target;
  return 200;
}

const char *reason(int Status) {
  constexpr std::array<std::pair<int, const char *>, 12> Reasons = {
      {{200, "OK"},
       {301, "Moved Permanently"},
       {400, "Bad Request"},
       {403, "Forbidden"},
       {404, "Not Found"},
       {405, "Method Not Allowed"},
       {408, "Request Timeout"},
       {410, "Gone"},
       {414, "URI Too Long"},
       {431, "Request Header Fields Too Large"},
       {500, "Internal Server Error"},
       {505, "HTTP Version Not Supported"}}};
  for (const auto &[Number, Text] : Reasons)
    if (Number == Status)
      return Text;
  return "Unknown";
}
} // namespace

int loopscope::parseHttpHead(std::string_view Head, HttpRequest &Into) {
  Into = {};
  if (int Status = parseRequestLine(takeUntil(Head, "\r\n"), Into);
      Status != 200)
    return Status;
  size_t Hosts = 0;
  while (!Head.empty()) {
    std::string_view Line = takeUntil(Head, "\r\n");
    if (Line.empty())
      break;
    if (Line.find(':') == Line.npos)
      return 400;
    std::string_view Name = takeUntil(Line, ":");
    std::string_view Value = trimmed(Line);
    if (!isToken(Name) || std::any_of(Value.begin(), Value.end(), [](char C) {
          return (C >= 0 && C < ' ' && C != '\t') || C == 127;
        }))
      return 400;
    if (!isSame(Name, "host"))
      continue;
    Into.Host = Value;
    ++Hosts;
  }
  return Hosts > 1 ? 400 : 200;
}

bool loopscope::isLocalHost(std::string_view Host) {
  // The port is that of a tunnel where there is one (ssh -L).
  std::string_view Name = takeUntil(Host, ":");
  return (isSame(Name, "localhost") || Name == "127.0.0.1") &&
         Host.size() <= 5 && Host.find_first_not_of("0123456789") == Host.npos;
}

std::string loopscope::httpBytes(const HttpAnswer &Of,
                                 std::string_view Method) {
  std::string Text = Of.Body;
  if (Of.Status != 200 && Text.empty())
    Text = fmt::format("{} {}\n", Of.Status, reason(Of.Status));
  // What is shown is this machine's alone: nothing may keep it, frame it, or
  // learn its address.
  std::string Bytes =
      fmt::format("HTTP/1.1 {} {}\r\n"
                  "Content-Type: {}\r\n"
                  "Content-Length: {}\r\n"
                  "Connection: close\r\n"
                  "Cache-Control: no-store\r\n"
                  "Content-Security-Policy: frame-ancestors 'none'\r\n"
                  "Cross-Origin-Resource-Policy: same-origin\r\n"
                  "Referrer-Policy: no-referrer\r\n"
                  "X-Content-Type-Options: nosniff\r\n",
                  Of.Status, reason(Of.Status), Of.Type, Text.size());
  if (Of.Status == 405)
    Bytes += "Allow: GET, HEAD\r\n";
  if (!Of.Location.empty())
    Bytes += fmt::format("Location: {}\r\n", Of.Location);
  Bytes += "\r\n";
  if (Method != "HEAD")
    Bytes += Text;
  return Bytes;
}
