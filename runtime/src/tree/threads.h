// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads and their trees.

#ifndef LOOPSCOPE_TREE_THREADS_H
#define LOOPSCOPE_TREE_THREADS_H

#include "base/thread_links.h"

namespace loopscope::runtime {

/// Gives the calling thread a tree. Null if out of memory (counted). Takes the
/// slow lock.
Thread *takeThread();

/// A tree for the fibre ID (fibres.h), of which the calling thread is
/// not the user yet. Null if out of memory (counted). Takes the slow lock.
Thread *takeFibreTree(uint64_t Id);
/// The fibre of T, in which no span is open, has ended: T is free for the next
/// fibre. Takes the slow lock.
void leaveFibreTree(Thread *T);
/// Whether N is of a fibre's tree.
bool isOfFibre(Node *N);
/// The thread whose own tree is OWN runs TREE now. Matters if it is the main
/// thread; see standInNode().
void setMainTree(Thread *Tree, Thread *Own);

/// Names the calling thread, whose tree is T, in place of the system's name,
/// until it ends. NAME is cut after 31 bytes.
void nameThread(Thread *T, const char *Name);
/// The calling thread, in which no span is open, leaves its tree T to the next
/// thread; the main thread's stays its own. Takes the slow lock.
void leaveThread(Thread *T);

/// T's innermost open node; outside all spans its root. Callable on any thread.
/// Null while T is making the node.
Node *innermostNode(Thread *T);

/// T has begun a training loop; see standInNode().
void noteTrainer(Thread *T);

/// Index of the node that stands in for threads without an open span, and is
/// charged with what concerns the whole process: the main thread's innermost
/// one. While that thread is outside all spans, the innermost one of a thread
/// that trains, else the main thread's root. Callable on any thread.
/// LOOPSCOPE_NONE while no thread has such a node.
uint32_t standInNode();

/// Whether the main thread has a tree. Callable on any thread.
bool mainThreadHasTree();

/// Clears the links of the calling thread's tree, in a child on a kernel that
/// hasn't done it.
void forgetLinks();

/// For a forked child: no threads, no trees.
void resetThreads();

/// Updates the clock's calibration; called by a hook when it is due.
void calibrateFrom(Thread *T, uint64_t Now);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_THREADS_H
