// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Protobuf messages under construction: varints, fixed numbers and
// length-delimited fields are all that our exports need of its wire format.

#ifndef LOOPSCOPE_REPORT_EXPORT_PROTOBUF_H
#define LOOPSCOPE_REPORT_EXPORT_PROTOBUF_H

#include <bit>
#include <cstdint>
#include <string>

namespace loopscope {

/// One message: fields in the order of the calls.
class ProtoMessage {
public:
  /// An unsigned number, or a signed one that isn't negative.
  void number(uint32_t Field, uint64_t Value) {
    key(Field, 0);
    varint(Value);
  }
  void real(uint32_t Field, double Value) {
    key(Field, 1);
    fixed(std::bit_cast<uint64_t>(Value));
  }
  void shortReal(uint32_t Field, float Value) {
    key(Field, 5);
    fixed(std::bit_cast<uint32_t>(Value));
  }
  void fixedNumber(uint32_t Field, uint64_t Value) {
    key(Field, 1);
    fixed(Value);
  }
  void bytes(uint32_t Field, const std::string &Value) {
    key(Field, 2);
    varint(Value.size());
    Out += Value;
  }
  void message(uint32_t Field, const ProtoMessage &Value) {
    bytes(Field, Value.Out);
  }

  /// The bytes so far.
  std::string Out;

private:
  void key(uint32_t Field, unsigned WireType) {
    varint(static_cast<uint64_t>(Field) << 3 | WireType);
  }
  void varint(uint64_t Value) {
    for (; Value >= 0x80; Value >>= 7)
      Out += static_cast<char>(Value | 0x80);
    Out += static_cast<char>(Value);
  }
  template <typename T> void fixed(T Value) {
    for (unsigned I = 0; I < sizeof Value; ++I)
      Out += static_cast<char>(Value >> (8 * I));
  }
};

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_EXPORT_PROTOBUF_H
