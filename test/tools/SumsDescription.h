// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named counters, one line each (ProfileDescription.h), and named sums, among a
// node's keys. The sums cover all finished spans; the key for those comes
// first.
//
//   named KEY VALUE        a counter
//   fact NAME TYPE VALUE   a fact of the run: signed, unsigned, real, bool,
//                          numeral, text or a number; a text ends with the line
//   value NAME WIDTH BIN/COUNT/SUM/MIN/MAX/LAST[/NOT-FINITE]...
//                          a number over time, in bins of WIDTH
//   range NAME COUNT SUM MIN MAX [OPEN STARTS [AGAIN]] [on START-END...]
//                          ranges that need not nest: durations of those that
//                          ended, the sum of the starts of the open ones, ends
//                          of ended ones; on the timeline, END "open"
//
//   cpu=DURATION           processor time
//   starved=DURATION       on the run queue
//   cost=DURATION          what an extension took (cost.gpu)
//   measured=DURATION      the wall time that these cover; default: all
//   minor=N major=N        page faults
//   voluntary=N involuntary=N  switches
//   bytes=N                of a collective
//   amount.NAME=N[/SPANS]  what SPANS spans gave (loopscope/amounts.h)
//   amount.last.NAME=N     what the last span gave
//   off=DURATION           a function whose hooks were switched off by then

#ifndef LOOPSCOPE_TEST_TOOLS_SUMSDESCRIPTION_H
#define LOOPSCOPE_TEST_TOOLS_SUMSDESCRIPTION_H

#include "GpuDescription.h"

/// Collects the named sums of one description.
class SumsDescription {
public:
  /// Reads a key of node INDEX, whose record is N; false for an unknown key.
  bool set(uint32_t Index, const loopscope_profile_node &N,
           const std::string &Key, const std::string &Value,
           const DescriptionContext &Context);
  void addCounter(const std::string &Key, uint64_t Value);
  /// Reads the words after `fact NAME`.
  void addFact(const std::string &Name, std::istringstream &Words,
               const DescriptionContext &Context);
  /// Reads the words after `value NAME`.
  void addValue(const std::string &Name, std::istringstream &Words,
                const DescriptionContext &Context);
  /// Reads the words after `range NAME`.
  void addRange(const std::string &Name, std::istringstream &Words,
                const DescriptionContext &Context);
  /// Places all strings; call it before write().
  void place(const PlaceText &Place);
  void write(const AppendChunk &Append) const;

private:
  void add(uint32_t Index, const char *Key, loopscope_sum_unit Unit,
           uint64_t Count, uint64_t Sum);

  std::vector<loopscope_node_sum> Sums;
  std::vector<std::string> Keys;
  std::vector<loopscope_counter_value> Counters;
  std::vector<std::string> CounterKeys;
  std::vector<loopscope_fact_record> Facts;
  std::vector<loopscope_value_record> Values;
  std::vector<loopscope_range> Ranges;
  std::vector<loopscope_range_event> RangeEvents;
  std::vector<std::string> RangeNames;
};

#endif // LOOPSCOPE_TEST_TOOLS_SUMSDESCRIPTION_H
