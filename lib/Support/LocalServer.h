// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A server of HTTP/1 for the browsers of one person on this machine. It reads
// only: GET and HEAD, from 127.0.0.1, of an address that nobody can guess.
//
// It is ours because Debian's cpp-httplib is a shared library that brings
// OpenSSL and brotli along, which the packages can't carry to older systems.

#ifndef LOOPSCOPE_SUPPORT_LOCALSERVER_H
#define LOOPSCOPE_SUPPORT_LOCALSERVER_H

#include "Support/HttpRequest.h"
#include "Support/Result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace loopscope {

/// Answers a request whose address is right and whose method is GET or HEAD.
/// Its path begins behind the server's secret: "/" is the page. Called by
/// several threads at once.
using HttpHandler = std::function<HttpAnswer(const HttpRequest &)>;

/// A socket that listens on 127.0.0.1.
class LocalServer {
public:
  /// Listens on \p Port, or on any free one if that is 0.
  static Result<LocalServer> listen(uint16_t Port);

  LocalServer(LocalServer &&From) noexcept
      : Socket(std::exchange(From.Socket, -1)), Port(From.Port),
        Secret(std::move(From.Secret)) {}
  LocalServer &operator=(LocalServer &&) = delete;
  ~LocalServer();

  /// "http://127.0.0.1:PORT/SECRET/", with 128 random bits.
  std::string address() const;

  /// Answers requests by \p Handler until \p StopFd can be read, each in a
  /// thread of its own; then ends the connections and waits for their threads.
  void serve(const HttpHandler &Handler, int StopFd) const;

private:
  LocalServer() = default;
  HttpAnswer answer(HttpRequest &Request, const HttpHandler &Handler) const;
  void talk(int Connection, const HttpHandler &Handler) const;

  int Socket = -1;
  uint16_t Port = 0;
  std::string Secret; ///< 32 hexadecimal digits
};

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_LOCALSERVER_H
