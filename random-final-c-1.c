#include <loopscope/annotate.h>
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
int counts[999];
int count(int k) { return ++counts[k]; }
void say(const char *what, long v) { printf("%s%ld ", what, v); }
void totals(void) {
  printf("\n#counts");
  for (int k = 0; k < 999; ++k)
    if (counts[k]) printf(" %d=%d", k, counts[k]);
  puts("");
}
void begin(int number) { printf("\n#%d: ", number); fflush(stdout); }
struct T { int v; };
struct T make(int x) { struct T t = {x}; say("+", x); return t; }
const char *text = "";
char letter;
double real;
#define WORD "word"
int value(int x) { say("v", x); return x; }
int odd(int x) { say("?", x); return x % 2 != 0; }
int c7(a, b) int a; long b; { (void)a, (void)b;
  count(0);
    {
      switch (value(29) % 3) {
      case 0: {
        int i1 = 2;
        count(1);
         while (i1-- > value(0)) { count(2);
          int yx2[] = {[1] = (value(36), value(2)), 4}; int x2 = yx2[1];
          (void)x2;
        }
        for (int i3 = 3; i3-- > value(1);) {
          count(3);
           {
  #pragma GCC unroll 2
            for (int i4 = 0; i4 < 2; ++i4) value(i4);
          }
          if ((value(71) > i1) && count(4))  goto out;
        }
      } break;
      case 1: LOOPSCOPE_PHASE("p7_3") LOOPSCOPE_FLOPS("4") { count(5);
        count(6);
         text = "a" WORD;
      } break;
      default:
         switch ((count(7), value(62) % 3)) {
        case 0:  { count(8);
          count(9);
           {
  #pragma GCC unroll 2
            for (int i5 = 0; i5 < 2; ++i5) value(i5);
          }
          count(10);
           int yx6[2] = {(int)sizeof(int) + value(5), 2}, x6 = 1; (void)yx6;
          (void)x6;
        } break;
        case 1:  { count(11);
          count(12);
           int x7; x7 = value(41) + 8;
          (void)x7;
          count(13);
  #if 1
   say("i", 17);
#else
  nonsense +;
#endif
          count(14);
           {}
        } break;
        default:
          real = .5;
        }
      }
      switch (value(96) % 3) {
      case 0: {
        count(15);
         for (int i8 = value(0), ei8 = 2; i8 < ei8; i8++) { count(16);
          if ((odd(97) || value(i8) < 50) && count(17))  goto out;
          count(18);
          LOOPSCOPE_PHASE("p7_15") int x9 = __extension__ ({ count(19);  value(61); int z = ((struct T){value(86)}).v; z; });
          (void)x9;
        }
      } break;
      }
      count(20);
       say("s", value(3) * 2 - value(7));
    }
    goto out;
  out:
    say("out", 0);
return a; }
void c10(void) {
  if (odd(1)) ; else  say("never", count(21));
  if (odd(2))  ; else { }
  for (struct { int a; char b; } s = {0, 'a'}; s.a < 2; ++s.a)  say("s", (count(22), s.b));
  count(23);  while (odd(2)) ;
  count(24);  do ; while (odd(2));
  count(25);  ;;
}
int main(void) {
  atexit(totals);
  begin(7); (void)c7(1, 2L); (void)c7(1, 2L);
  begin(10); c10(); c10();
  begin(0);
  return 0;
}
