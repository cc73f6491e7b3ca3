// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sockets and threads of the server.

#include "Support/LocalServer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <set>
#include <string_view>
#include <sys/random.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace loopscope;

namespace {
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// A browser has six connections to a server.
constexpr size_t MaxConnections = 32;
constexpr auto HeadTime = 5s;    // in which a head must have come
constexpr auto AnswerTime = 60s; // in which an answer must have been taken
constexpr auto RestTime = 1s; // in which the rest of a request is thrown away

// Whether FD is ready for EVENTS before UNTIL.
bool waitFor(int Fd, short Events, Clock::time_point Until) {
  pollfd Wait{Fd, Events, 0};
  for (;;) {
    auto Left =
        std::chrono::ceil<std::chrono::milliseconds>(Until - Clock::now());
    int Ready = poll(&Wait, 1,
                     static_cast<int>(std::max<int64_t>(
                         0, static_cast<int64_t>(Left.count()))));
    if (Ready >= 0 || errno != EINTR)
      return Ready > 0;
  }
}

// Appends what comes to TEXT; false at the end, or when it is late.
bool receive(int Fd, std::string &Text, Clock::time_point Until) {
  std::array<char, 4096> Bytes;
  if (!waitFor(Fd, POLLIN, Until))
    return false;
  ssize_t Count = recv(Fd, Bytes.data(), Bytes.size(), 0);
  if (Count <= 0)
    return Count < 0 && errno == EINTR;
  Text.append(Bytes.data(), static_cast<size_t>(Count));
  return true;
}

void sendAll(int Fd, std::string_view Bytes) {
  auto Until = Clock::now() + AnswerTime;
  while (!Bytes.empty() && waitFor(Fd, POLLOUT, Until)) {
    ssize_t Count =
        send(Fd, Bytes.data(), Bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (Count < 0 && errno != EINTR && errno != EAGAIN)
      return;
    Bytes.remove_prefix(static_cast<size_t>(std::max<ssize_t>(0, Count)));
  }
}

// Takes as long for each wrong word.
bool isSecret(std::string_view Word, std::string_view Secret) {
  if (Word.size() != Secret.size())
    return false;
  unsigned Difference = 0;
  for (size_t I = 0; I < Secret.size(); ++I)
    Difference |= static_cast<unsigned char>(Word[I]) ^
                  static_cast<unsigned char>(Secret[I]);
  return Difference == 0;
}

// The connections that are open, each with a thread.
class Connections {
public:
  bool isFull() {
    std::lock_guard<std::mutex> Lock(Mutex);
    return Open.size() >= MaxConnections;
  }
  void add(int Fd) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Open.insert(Fd);
  }
  void end(int Fd) {
    std::lock_guard<std::mutex> Lock(Mutex);
    Open.erase(Fd);
    close(Fd);
    if (Open.empty())
      Ended.notify_all();
  }
  // Ends all of them, and waits until their threads are done with this.
  void endAll() {
    std::unique_lock<std::mutex> Lock(Mutex);
    for (int Each : Open)
      shutdown(Each, SHUT_RDWR);
    Ended.wait(Lock, [this] { return Open.empty(); });
  }

private:
  std::mutex Mutex;
  std::condition_variable Ended;
  std::set<int> Open;
};
} // namespace

Result<LocalServer> LocalServer::listen(uint16_t Port) {
  LocalServer Made;
  auto Failed = [&](const char *What) {
    int Why = errno;
    if (Why == EADDRINUSE)
      return Error{fmt::format("port {} is in use; without --port, a free one "
                               "is taken",
                               Port)};
    return Error{fmt::format("{} port {} of 127.0.0.1: {}", What, Port,
                             std::strerror(Why))};
  };
  Made.Socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (Made.Socket < 0)
    return Failed("cannot make a socket for");
  // A port is free as soon as a server ends; two can't listen on one.
  int On = 1;
  setsockopt(Made.Socket, SOL_SOCKET, SO_REUSEADDR, &On, sizeof(On));
  sockaddr_in Place{};
  Place.sin_family = AF_INET;
  Place.sin_port = htons(Port);
  Place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t Size = sizeof(Place);
  if (bind(Made.Socket, reinterpret_cast<sockaddr *>(&Place), Size) != 0 ||
      ::listen(Made.Socket, SOMAXCONN) != 0 ||
      getsockname(Made.Socket, reinterpret_cast<sockaddr *>(&Place), &Size) !=
          0)
    return Failed("cannot listen on");
  Made.Port = ntohs(Place.sin_port);
  std::array<unsigned char, 16> Random;
  if (getrandom(Random.data(), Random.size(), 0) !=
      static_cast<ssize_t>(Random.size()))
    return Error{
        fmt::format("cannot get random bytes: {}", std::strerror(errno))};
  for (unsigned char Each : Random)
    Made.Secret += fmt::format("{:02x}", Each);
  return Made;
}

LocalServer::~LocalServer() {
  if (Socket >= 0)
    close(Socket);
}

std::string LocalServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", Port, Secret);
}

HttpAnswer LocalServer::answer(HttpRequest &Request,
                               const HttpHandler &Handler) const {
  std::string_view Path = Request.Path;
  if (!isLocalHost(Request.Host) ||
      !isSecret(Path.substr(1, Secret.size()), Secret))
    return {403};
  std::string Below(Path.substr(1 + Secret.size()));
  if (!Below.empty() && Below.front() != '/')
    return {403};
  if (Request.Method != "GET" && Request.Method != "HEAD")
    return {405};
  if (Below.empty()) {
    HttpAnswer Answer(301);
    Answer.Location = "/" + Secret + "/";
    return Answer;
  }
  Request.Path = Below;
  return Handler(Request);
}

void LocalServer::talk(int Connection, const HttpHandler &Handler) const {
  std::string Head;
  size_t End = std::string::npos;
  auto Until = Clock::now() + HeadTime;
  while (Head.size() <= MaxHttpHead && receive(Connection, Head, Until)) {
    End = Head.find("\r\n\r\n");
    if (End != Head.npos)
      break;
  }
  HttpRequest Request;
  HttpAnswer Answer;
  if (End != Head.npos && End <= MaxHttpHead) {
    int Status =
        parseHttpHead(std::string_view(Head).substr(0, End + 2), Request);
    Answer = Status == 200 ? answer(Request, Handler) : HttpAnswer{Status};
  } else if (Head.size() > MaxHttpHead) {
    Answer = {431};
  } else if (Clock::now() >= Until) {
    Answer = {408};
  } else {
    return; // it has gone
  }
  sendAll(Connection, httpBytes(Answer, Request.Method));
  // What is closed with bytes unread loses the answer.
  shutdown(Connection, SHUT_WR);
  Until = Clock::now() + RestTime;
  for (std::string Rest; Rest.size() < 1 << 20;)
    if (!receive(Connection, Rest, Until))
      break;
}

void LocalServer::serve(const HttpHandler &Handler, int StopFd) const {
  Connections Open;
  for (;;) {
    bool IsFull = Open.isFull();
    std::array<pollfd, 2> Wait = {
        {{StopFd, POLLIN, 0}, {IsFull ? -1 : Socket, POLLIN, 0}}};
    if (poll(Wait.data(), Wait.size(), IsFull ? 20 : -1) < 0 && errno != EINTR)
      break;
    if (Wait[0].revents != 0)
      break;
    if (Wait[1].revents == 0)
      continue;
    int Connection = accept4(Socket, nullptr, nullptr, SOCK_CLOEXEC);
    if (Connection < 0)
      continue;
    Open.add(Connection);
    try {
      std::thread([this, &Handler, &Open, Connection] {
        talk(Connection, Handler);
        Open.end(Connection);
      }).detach();
    } catch (const std::system_error &) {
      Open.end(Connection); // there is no thread for it
    }
  }
  Open.endAll();
}
