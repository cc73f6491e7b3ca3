// The class of an object is a key in C++ with run-time type information alone.
// RUN: %refuse %s %t -fno-rtti | %diagnostics
struct Layer { virtual ~Layer(); int kind; };
void g();
void f(Layer &l) {
  [[loopscope::phase("a"), loopscope::key("type(l)")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: the key 'type(l)' is the class of an object, which -fno-rtti leaves out of the program; write a key with the name, or (type)(...) if 'type' is a function of the program
}
