/* Data for the perceptron examples: points on three interleaved spiral arms,
 * made up from a seed. C99 or newer, C++11 or newer. */
#ifndef EXAMPLES_SPIRAL_H
#define EXAMPLES_SPIRAL_H

#ifdef __cplusplus
extern "C" {
#endif

enum { SPIRAL_FEATURES = 2, SPIRAL_CLASSES = 3 };

/* State of a small random number generator; any value but 0 is a seed. */
typedef unsigned long long spiral_random;

/* The next number, uniform in [0, 1). */
float spiral_uniform(spiral_random *state);

/* Fills POINTS (COUNT rows of SPIRAL_FEATURES) and LABELS (0 to
 * SPIRAL_CLASSES - 1, as many of each as COUNT allows). */
void spiral_make(float *points, int *labels, int count, spiral_random seed);

/* Puts ORDER (a permutation of 0 to COUNT - 1) into a new random order. */
void spiral_shuffle(int *order, int count, spiral_random *state);

#ifdef __cplusplus
}
#endif

#endif /* EXAMPLES_SPIRAL_H */
