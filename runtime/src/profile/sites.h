// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sites and strings in the profile, each stored once.

#ifndef LOOPSCOPE_PROFILE_SITES_H
#define LOOPSCOPE_PROFILE_SITES_H

#include <loopscope/loopscope.h>
#include <loopscope/profile_format.h>

#include <stddef.h>

namespace loopscope::runtime {

/// The profile's index of SITE's content, added at the first call.
/// LOOPSCOPE_NONE if out of memory or if the descriptor has another ABI. Takes
/// the slow lock.
uint32_t siteIndex(const loopscope_site *Site);

/// Records that FILE was built without hooks. Takes the slow lock.
void addMissingFile(const char *FileName);

/// Copies STRING, cut at 8 KiB, into the profile. False if out of memory. Call
/// with the slow lock held.
bool storeString(const char *String, loopscope_profile_string &Result);

/// The longest string that the profile stores whole, in bytes.
constexpr size_t MaxString = 8 * size_t(1024);

/// Copies up to MaxString of the LENGTH bytes of a string into the profile;
/// returns the copy's address, or null if out of memory. Lock held.
const char *addString(const char *String, size_t Length,
                      loopscope_profile_string &Result);

/// Forgets the addresses of sites in [BEGIN, END), whose memory may be reused;
/// their records stay. Takes the slow lock.
void forgetSites(uintptr_t Begin, uintptr_t End) noexcept;

/// Forgets everything, for a forked child.
void resetSites();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROFILE_SITES_H
