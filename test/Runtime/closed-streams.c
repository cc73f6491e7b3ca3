// Streams that are closed at start stay the program's: its files that get their
// numbers contain only its own text, and the report goes nowhere or to its
// file.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %build_c
// RUN: %t <&- >&- 2>&-; test $? -eq 7
// RUN: env LOOPSCOPE=output=/nonexistent/x %t 2>&-; test $? -eq 7
// RUN: env LOOPSCOPE=report=stdout %t >&-; test $? -eq 7
// RUN: for n in 1 2 3; do printf '%%s\n' line line line | diff - data$n || exit 1; done
// RUN: env LOOPSCOPE=report=r.txt %t <&- >&-; test $? -eq 7
// RUN: grep work r.txt && ls *.loopscope | count 4
// A stderr without a reader, or a full one, ends nothing.
// RUN: sh -c '(env LOOPSCOPE=output=/nonexistent/x %t; echo $? > code) 2>&1 | true'
// RUN: for i in 1 2 3 4 5 6 7 8 9; do test -s code || sleep 0.5; done; grep -x 7 code
// RUN: %t 2> /dev/full; test $? -eq 7
#include <fcntl.h>
#include <loopscope/hooks.h>
#include <unistd.h>

int main(void) {
  int files[] = {open("data1", O_CREAT | O_APPEND | O_WRONLY, 0644),
                 open("data2", O_CREAT | O_APPEND | O_WRONLY, 0644),
                 open("data3", O_CREAT | O_APPEND | O_WRONLY, 0644)};
  __LOOPSCOPE_SPAN(1, PHASE, "work", 25, "main");
  for (int i = 0; i < 3; ++i)
    if (write(files[i], "line\n", 5) != 5)
      return 1;
  return 7;
}
