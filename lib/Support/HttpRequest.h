// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The head of a request of HTTP/1: strictly parsed, nothing decoded.

#ifndef LOOPSCOPE_SUPPORT_HTTPREQUEST_H
#define LOOPSCOPE_SUPPORT_HTTPREQUEST_H

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace loopscope {

/// The longest head that is read.
constexpr size_t MaxHttpHead = 16384;

/// A request. Path and query are as they were sent: `%2e` isn't a dot.
struct HttpRequest {
  std::string Method;
  std::string Path;  ///< begins with a slash
  std::string Query; ///< behind the `?`; empty without one
  std::string Host;  ///< empty if the request names none
};

/// A status and what it is about: without a body, a refusal is told in words.
struct HttpAnswer {
  int Status;
  std::string Body;
  std::string Type;
  std::string Location; ///< of a redirection

  HttpAnswer(int Status = 200, std::string Body = "",
             std::string Type = "text/plain; charset=utf-8")
      : Status(Status), Body(std::move(Body)), Type(std::move(Type)) {}
};

/// Parses \p Head, a request up to its empty line. Returns 200, or the status
/// to refuse it with: 400, 414 (a target over 4096 bytes) or 505.
int parseHttpHead(std::string_view Head, HttpRequest &Into);

/// Whether \p Host is this machine, by a name that no other one can have: what
/// a page of another site can't make a browser send.
bool isLocalHost(std::string_view Host);

/// The bytes of \p Of, answering a request of \p Method: HEAD gets no body.
std::string httpBytes(const HttpAnswer &Of, std::string_view Method);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_HTTPREQUEST_H
