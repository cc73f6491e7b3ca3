// SIGKILL while a program starts leaves a profile or none, and never one that the
// report chokes on.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %gcc -O1 %runtime_include %S/Inputs/killer.c -o %t.killer
// RUN: %gcc -O1 -I %S/Inputs %runtime_include %S/KillAnywhere.c -o %t.program %runtime_lib
// RUN: %t.killer %t.program %t.d 100 5 any > %t.made
// RUN: ls %t.d | count $(cat %t.made)
// RUN: for p in %t.d/*.loopscope; do loopscope report $p >/dev/null || exit 1; done
int nothing_of_its_own;
