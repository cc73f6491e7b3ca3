/* libloopscope-off.a: hooks that do nothing, for what is linked without the C
 * library or its start files. It needs nothing itself. */
#include <loopscope/loopscope.h>

/* How loopscope-launch sees that a program has got these hooks. */
__attribute__((used)) static const char note[] =
    "loopscope: hooks that record nothing";

unsigned char loopscope_active_ = 0;

loopscope_token loopscope_enter(const loopscope_site *site) {
  (void)site;
  return 0;
}

loopscope_token loopscope_enter_adjacent(const loopscope_site *site) {
  (void)site;
  return 0;
}

loopscope_token loopscope_loop_enter(const loopscope_site *site) {
  (void)site;
  return 0;
}

loopscope_token loopscope_draw_enter(const loopscope_site *site) {
  (void)site;
  return 0;
}

loopscope_token loopscope_step_begin(loopscope_token loop) { return loop; }

void loopscope_leave(loopscope_token token) { (void)token; }

void loopscope_step_end(loopscope_token step) { (void)step; }

void loopscope_samples(loopscope_token step, int64_t samples) {
  (void)step;
  (void)samples;
}

void loopscope_missing_file(const char *file) { (void)file; }
