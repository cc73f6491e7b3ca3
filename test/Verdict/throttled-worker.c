// A control group's limit takes the processor away from a loop in a worker thread, where what is
// known of the whole process counts for the loop, too.
// REQUIRES: quota
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && way=WORKER && %way %S/throttled.c devices=20
