// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations of Gloo's process groups, which only start them: the span is
// the caller's part. One that LibTorch calls in another one has no span.
//
// Each has the names of all versions that have it.

#include "calls.h"

using namespace loopscope::gloo;

namespace loopscope::gloo {
/// c10::intrusive_ptr<c10d::Work>, which is moved and never copied here.
struct WorkPointer {
  Word Work;
  WorkPointer(const WorkPointer &Other) : Work(Other.Work) {}
  ~WorkPointer() {} // NOLINT(modernize-use-equals-default): not trivial
};
} // namespace loopscope::gloo

// The group and N further parameters.
#define LOOPSCOPE_GLOO_PARAMETERS_1 Word Group, Word A
#define LOOPSCOPE_GLOO_PARAMETERS_2 LOOPSCOPE_GLOO_PARAMETERS_1, Word B
#define LOOPSCOPE_GLOO_PARAMETERS_3 LOOPSCOPE_GLOO_PARAMETERS_2, Word C
#define LOOPSCOPE_GLOO_PARAMETERS_5 LOOPSCOPE_GLOO_PARAMETERS_3, Word D, Word E
#define LOOPSCOPE_GLOO_ARGUMENTS_1 Group, A
#define LOOPSCOPE_GLOO_ARGUMENTS_2 LOOPSCOPE_GLOO_ARGUMENTS_1, B
#define LOOPSCOPE_GLOO_ARGUMENTS_3 LOOPSCOPE_GLOO_ARGUMENTS_2, C
#define LOOPSCOPE_GLOO_ARGUMENTS_5 LOOPSCOPE_GLOO_ARGUMENTS_3, D, E

// The method MEMBER (mangled, with its parameters) of N parameters. Further
// arguments are the fields of its Operation.
#define LOOPSCOPE_GLOO_OPERATION(FUNCTION, MEMBER, N, ...)                     \
  LOOPSCOPE_GLOO_FUNCTION(WorkPointer, FUNCTION,                               \
                          "_ZN4c10d16ProcessGroupGloo" MEMBER,                 \
                          LOOPSCOPE_GLOO_PARAMETERS_##N);                      \
  WorkPointer FUNCTION(LOOPSCOPE_GLOO_PARAMETERS_##N) {                        \
    LOOPSCOPE_GLOO_UNWINDS;                                                    \
    static constexpr Operation Of = {__VA_ARGS__};                             \
    auto *Real =                                                               \
        LOOPSCOPE_GLOO_REAL(WorkPointer (*)(LOOPSCOPE_GLOO_PARAMETERS_##N),    \
                            "_ZN4c10d16ProcessGroupGloo" MEMBER);              \
    const Word Passed[] = {LOOPSCOPE_GLOO_ARGUMENTS_##N};                      \
    Call Around(Of, Passed);                                                   \
    WorkPointer Result = Real(LOOPSCOPE_GLOO_ARGUMENTS_##N);                   \
    Around.end();                                                              \
    return Result;                                                             \
  }

// Parameters, mangled: one or two vectors of tensors, vectors of those, and
// tensors themselves.
#define LOOPSCOPE_GLOO_TENSORS "ERSt6vectorIN2at6TensorESaIS3_EE"
#define LOOPSCOPE_GLOO_TENSORS_TWICE LOOPSCOPE_GLOO_TENSORS "S6_"
#define LOOPSCOPE_GLOO_LISTS_TENSORS                                           \
  "ERSt6vectorIS1_IN2at6TensorESaIS3_EESaIS5_EERS5_"
#define LOOPSCOPE_GLOO_TENSORS_LISTS LOOPSCOPE_GLOO_TENSORS "RS1_IS5_SaIS5_EE"
#define LOOPSCOPE_GLOO_TENSOR_TWICE "ERN2at6TensorES3_"

LOOPSCOPE_GLOO_OPERATION(loopscopeGlooBroadcast,
                         "9broadcast" LOOPSCOPE_GLOO_TENSORS
                         "RKNS_16BroadcastOptionsE",
                         2, "gloo:broadcast", Data::Tensors, 1)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooAllreduce,
                         "9allreduce" LOOPSCOPE_GLOO_TENSORS
                         "RKNS_16AllreduceOptionsE",
                         2, "gloo:all_reduce", Data::Tensors, 1)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooAllreduceSparse,
                         "16allreduce_sparse" LOOPSCOPE_GLOO_TENSORS
                         "RKNS_16AllreduceOptionsE",
                         2, "gloo:sparse_all_reduce")
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooAllreduceCoalesced,
                         "19allreduce_coalesced" LOOPSCOPE_GLOO_TENSORS
                         "RKNS_25AllreduceCoalescedOptionsE",
                         2, "gloo:all_reduce", Data::Tensors, 1)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooReduce,
                         "6reduce" LOOPSCOPE_GLOO_TENSORS
                         "RKNS_13ReduceOptionsE",
                         2, "gloo:reduce", Data::Tensors, 1)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooAllgather,
                         "9allgather" LOOPSCOPE_GLOO_LISTS_TENSORS
                         "RKNS_16AllgatherOptionsE",
                         3, "gloo:all_gather", Data::Tensors, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooAllgatherCoalesced,
                         "19allgather_coalesced" LOOPSCOPE_GLOO_LISTS_TENSORS
                         "RKNS_16AllgatherOptionsE",
                         3, "gloo:all_gather", Data::Tensors, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooAllgatherBase,
                         "15_allgather_base" LOOPSCOPE_GLOO_TENSOR_TWICE
                         "RKNS_16AllgatherOptionsE",
                         3, "gloo:all_gather", Data::Tensor, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooAllGatherSingle,
                         "17all_gather_single" LOOPSCOPE_GLOO_TENSOR_TWICE
                         "RKNS_16AllgatherOptionsE",
                         3, "gloo:all_gather", Data::Tensor, 2)
LOOPSCOPE_GLOO_OPERATION(
    loopscopeGlooAllgatherIntoTensorCoalesced,
    "31allgather_into_tensor_coalesced" LOOPSCOPE_GLOO_TENSORS_TWICE
    "RKNS_16AllgatherOptionsE",
    3, "gloo:all_gather", Data::Tensors, 2)
LOOPSCOPE_GLOO_OPERATION(
    loopscopeGlooAllGatherSingleCoalesced,
    "27all_gather_single_coalesced" LOOPSCOPE_GLOO_TENSORS_TWICE
    "RKNS_16AllgatherOptionsE",
    3, "gloo:all_gather", Data::Tensors, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooGather,
                         "6gather" LOOPSCOPE_GLOO_LISTS_TENSORS
                         "RKNS_13GatherOptionsE",
                         3, "gloo:gather", Data::Tensors, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooScatter,
                         "7scatter" LOOPSCOPE_GLOO_TENSORS_LISTS
                         "RKNS_14ScatterOptionsE",
                         3, "gloo:scatter", Data::Tensors, 1)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooReduceScatter,
                         "14reduce_scatter" LOOPSCOPE_GLOO_TENSORS_LISTS
                         "RKNS_20ReduceScatterOptionsE",
                         3, "gloo:reduce_scatter", Data::Lists, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooReduceScatterBase,
                         "20_reduce_scatter_base" LOOPSCOPE_GLOO_TENSOR_TWICE
                         "RKNS_20ReduceScatterOptionsE",
                         3, "gloo:reduce_scatter", Data::Tensor, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooReduceScatterSingle,
                         "21reduce_scatter_single" LOOPSCOPE_GLOO_TENSOR_TWICE
                         "RKNS_20ReduceScatterOptionsE",
                         3, "gloo:reduce_scatter", Data::Tensor, 2)
LOOPSCOPE_GLOO_OPERATION(
    loopscopeGlooReduceScatterTensorCoalesced,
    "31reduce_scatter_tensor_coalesced" LOOPSCOPE_GLOO_TENSORS_TWICE
    "RKNS_20ReduceScatterOptionsE",
    3, "gloo:reduce_scatter", Data::Tensors, 2)
LOOPSCOPE_GLOO_OPERATION(
    loopscopeGlooReduceScatterSingleCoalesced,
    "31reduce_scatter_single_coalesced" LOOPSCOPE_GLOO_TENSORS_TWICE
    "RKNS_20ReduceScatterOptionsE",
    3, "gloo:reduce_scatter", Data::Tensors, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooAlltoall,
                         "8alltoall" LOOPSCOPE_GLOO_TENSORS_TWICE
                         "RKNS_15AllToAllOptionsE",
                         3, "gloo:all_to_all", Data::Tensors, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooAlltoallBase,
                         "13alltoall_base" LOOPSCOPE_GLOO_TENSOR_TWICE
                         "RSt6vectorIlSaIlEES7_RKNS_15AllToAllOptionsE",
                         5, "gloo:all_to_all", Data::Tensor, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooAllToAllSingle,
                         "17all_to_all_single" LOOPSCOPE_GLOO_TENSOR_TWICE
                         "RSt6vectorIlSaIlEES7_RKNS_15AllToAllOptionsE",
                         5, "gloo:all_to_all", Data::Tensor, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooSend, "4send" LOOPSCOPE_GLOO_TENSORS "ii",
                         3, "gloo:send", Data::Tensors, 1, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooRecv, "4recv" LOOPSCOPE_GLOO_TENSORS "ii",
                         3, "gloo:recv", Data::Tensors, 1, -1, 2)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooRecvAnysource,
                         "13recvAnysource" LOOPSCOPE_GLOO_TENSORS "i", 2,
                         "gloo:recvAnySource", Data::Tensors, 1)
LOOPSCOPE_GLOO_OPERATION(loopscopeGlooBarrier,
                         "7barrierERKNS_14BarrierOptionsE", 1, "gloo:barrier")

// Returns nothing.
#define LOOPSCOPE_GLOO_MONITORED                                               \
  "_ZN4c10d16ProcessGroupGloo16monitoredBarrierERKNS_14BarrierOptionsEb"
LOOPSCOPE_GLOO_FUNCTION(void, loopscopeGlooMonitoredBarrier,
                        LOOPSCOPE_GLOO_MONITORED, Word, Word, Word);
void loopscopeGlooMonitoredBarrier(Word Group, Word Options, Word WaitsForAll) {
  LOOPSCOPE_GLOO_UNWINDS;
  static constexpr Operation Of = {"gloo:monitored_barrier"};
  auto *Real =
      LOOPSCOPE_GLOO_REAL(void (*)(Word, Word, Word), LOOPSCOPE_GLOO_MONITORED);
  const Word Passed[] = {Group};
  Call Around(Of, Passed);
  Real(Group, Options, WaitsForAll);
  Around.end();
}

// The constructor of a group, whose last parameter is an object with a
// destructor: its address.
#define LOOPSCOPE_GLOO_CONSTRUCTOR(FUNCTION, NUMBER)                           \
  LOOPSCOPE_GLOO_FUNCTION(void, FUNCTION, LOOPSCOPE_GLOO_CONSTRUCTED(NUMBER),  \
                          Word, Word, int, int, Word);                         \
  void FUNCTION(Word Group, Word Store, int Rank, int Ranks, Word Options) {   \
    auto *Real = LOOPSCOPE_GLOO_REAL(void (*)(Word, Word, int, int, Word),     \
                                     LOOPSCOPE_GLOO_CONSTRUCTED(NUMBER));      \
    Real(Group, Store, Rank, Ranks, Options);                                  \
    addGroup(Group, Rank, Ranks);                                              \
  }
#define LOOPSCOPE_GLOO_CONSTRUCTED(NUMBER)                                     \
  "_ZN4c10d16ProcessGroupGlooC" NUMBER                                         \
  "ERKN3c1013intrusive_ptrINS_5StoreENS1_6detail34intrusive_target_default_"   \
  "null_typeIS3_EEEEiiNS2_INS0_7OptionsENS5_ISA_EEEE"
LOOPSCOPE_GLOO_CONSTRUCTOR(loopscopeGlooGroup, "1")
LOOPSCOPE_GLOO_CONSTRUCTOR(loopscopeGlooBaseGroup, "2")

// Brings in the members that others don't refer to.
const void *const loopscope_gloo = &loopscope_gloo_waits;
