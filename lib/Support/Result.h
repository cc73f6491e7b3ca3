// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value or an error message: how the libraries report what went wrong. No
// exceptions; callers have to check before they take the value.

#ifndef LOOPSCOPE_SUPPORT_RESULT_H
#define LOOPSCOPE_SUPPORT_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace loopscope {

/// What failed, where, why and what to do about it, in one line without a
/// trailing newline or full stop. Whoever prints it puts the program's name and
/// "error: " in front.
struct Error {
  std::string Message;
};

/// Either a T or an Error.
template <typename T> class Result {
public:
  Result(T Value) : Storage(std::in_place_index<0>, std::move(Value)) {}
  Result(Error Failure) : Storage(std::in_place_index<1>, std::move(Failure)) {}

  /// Whether there is a value.
  explicit operator bool() const { return Storage.index() == 0; }

  /// The value; call only if there is one.
  T &operator*() {
    assert(*this);
    return *std::get_if<0>(&Storage);
  }
  const T &operator*() const {
    assert(*this);
    return *std::get_if<0>(&Storage);
  }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }

  /// The error; call only if there is one.
  const Error &error() const {
    assert(!*this);
    return *std::get_if<1>(&Storage);
  }

private:
  std::variant<T, Error> Storage;
};

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_RESULT_H
