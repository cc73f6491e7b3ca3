// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table that loopscope_bench prints, from these lines of the measuring
// programs:
//
//   row <tab> name <tab> ns <tab> ratio <tab> target (0: none)
//   skip <tab> name <tab> reason
//   memory <tab> bytes per span

#ifndef LOOPSCOPE_TEST_BENCH_TABLE_H
#define LOOPSCOPE_TEST_BENCH_TABLE_H

#include <string>
#include <vector>

namespace bench {

class Table {
public:
  /// Adds one measuring program's output; ignores other lines.
  void addOutput(const std::string &Lines);
  std::string text() const;
  std::string markdown() const;
  /// Whether any row exceeds its target.
  bool missed() const;

private:
  struct Row {
    std::string Name, Ns, Ratio, Target, Verdict;
  };
  std::vector<Row> Rows;
  std::vector<std::string> Notes;
};

} // namespace bench

#endif // LOOPSCOPE_TEST_BENCH_TABLE_H
