// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the words in loops' heads and in functions' names tell.

#include "Support/TrainingNames.h"

#include <gtest/gtest.h>

using namespace loopscope;

TEST(TrainingNames, TreesAreCountedButNotThoseOfAnIteration) {
  for (const char *Each : {"tree_number", "num_trees", "nTrees", "n_estimators",
                           "m_trees", "treeCount"})
    EXPECT_TRUE(isTrees(Each)) << Each;
  for (const char *Each :
       {"tree", "tree_node", "street_number", "num_tree_per_iteration_"})
    EXPECT_FALSE(isTrees(Each)) << Each;
}

TEST(TrainingNames, WhatAMethodConvergesBy) {
  for (const char *Each : {"threshold", "tol", "is_converged", "maxDelta"})
    EXPECT_TRUE(isConvergence(Each)) << Each;
  for (const char *Each : {"total", "steps", "deltas"})
    EXPECT_FALSE(isConvergence(Each)) << Each;
}

TEST(TrainingNames, WhatIsTriedAgain) {
  for (const char *Each : {"status", "l_Undef", "max_restarts", "attempt"})
    EXPECT_TRUE(isAttempt(Each)) << Each;
  EXPECT_FALSE(isAttempt("statistics"));
}

TEST(TrainingNames, SamplersAreNoSamples) {
  EXPECT_TRUE(isData("n_samples"));
  EXPECT_TRUE(isData("nsamples"));
  EXPECT_FALSE(isData("n_samplers"));
}

TEST(TrainingNames, ToTrainBeforeIsToTrain) {
  EXPECT_TRUE(saysTraining("DBN_pretrain"));
  EXPECT_TRUE(saysTraining("finetune"));
  EXPECT_FALSE(saysTraining("restrain"));
}

TEST(TrainingNames, WhatSavesOrShows) {
  for (const char *Each : {"saveNet", "write_checkpoint", "printProgress",
                           "fprintf", "model_save", "report"})
    EXPECT_TRUE(savesOrShows(Each)) << Each;
  for (const char *Each : {"log_density", "log", "draw", "fwd", "reported"})
    EXPECT_FALSE(savesOrShows(Each)) << Each;
}

TEST(TrainingNames, MethodsThatTakeAllData) {
  for (const char *Each : {"omp_kmeans", "KMeans::fit", "_vl_kmeans_lloyd_d",
                           "BaumWelchTrainer::train", "runEM", "lbfgs"})
    EXPECT_TRUE(takesAllData(Each)) << Each;
  for (const char *Each :
       {"MiniBatchKMeans::fit", "online_em", "them", "sgd", "memory", "train"})
    EXPECT_FALSE(takesAllData(Each)) << Each;
}
