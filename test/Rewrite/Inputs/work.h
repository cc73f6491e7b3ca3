/* Functions for the test programs that leave marks in the trace. */
#ifdef __cplusplus
extern "C" {
#endif
/* Writes WHAT, one word, into the trace. */
void work(const char *what);
/* The same; returns VALUE. */
int value(const char *what, int value);
#ifdef __cplusplus
}
#endif
