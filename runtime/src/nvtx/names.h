// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of NVTX ranges and domains, each kept once, with a site for spans.

#ifndef LOOPSCOPE_NVTX_NAMES_H
#define LOOPSCOPE_NVTX_NAMES_H

#include <loopscope/loopscope.h>

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime {

/// A name. Lives as long as the process and never moves.
struct NvtxName {
  uint64_t Hash;       ///< of domain and text: 64 bits stand for equality
  loopscope_site Site; ///< its name is the text, with the domain's before it
  const NvtxName *Domain;
};

/// The name that TEXT (in UTF-8, cut at 200 bytes) has in DOMAIN, null for the
/// default domain. Beyond 2048 names, and without memory: "(other ranges)",
/// counted.
const NvtxName *internNvtxName(const NvtxName *Domain, const char *Text);

/// Whether HANDLE is the address of a name.
bool isNvtxName(const void *Handle);

/// For a forked child: nobody else is interning.
void unlockNvtxNames();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_NVTX_NAMES_H
