// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the names that others gave say: calls of CUDA, NCCL, Gloo and MPI,
// kernels, PyTorch's operators, devices. Readers turn them into values of the
// model where they can; nobody outside lib/Run spells such a name.

#ifndef LOOPSCOPE_RUN_MODEL_KNOWNNAMES_H
#define LOOPSCOPE_RUN_MODEL_KNOWNNAMES_H

#include "Run/Model/Run.h"

#include <string>
#include <string_view>

namespace loopscope {

/// The use of a site, by its name.
SiteUse siteUse(std::string_view Name);

/// Whether the call starts or ends MPI.
bool startsOrEndsMpi(std::string_view Name);

/// Whether the name is that of an NCCL kernel.
bool isCommunicationKernel(std::string_view Name);

/// Whether NCCL counts the bytes of \p Operation by what one rank gets from
/// another.
bool countsBytesPerPeer(std::string_view Operation);

/// Launch, Block or None, of a call by the names that CUPTI gives.
EventUse callUse(std::string_view Name);

/// Whether a call waits for a device as a whole.
bool waitsForDevice(std::string_view Call);

/// Whether the kernel's name shows that it uses tensor cores.
bool usesTensorCores(std::string_view Kernel);

/// Whether the kernel does matrix work that tensor cores could do.
bool isMatrixKernel(std::string_view Kernel);

/// Whether tensor cores can run the operator of PyTorch.
bool isMatrixOperator(std::string_view Operator);

/// The name for sentences: without the hash of its code, by which torch.compile
/// tells a graph from others.
std::string readableName(std::string_view Phase);

/// The name of a function of Python without the address of the object whose
/// method it is: "<built-in method append of list object>".
std::string withoutAddress(std::string_view Function);

/// Whether a device's name shows that NVIDIA didn't make it.
bool isOtherMakers(std::string_view Device);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_KNOWNNAMES_H
