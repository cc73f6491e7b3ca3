// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmt's compiled part, from its headers, for systems that have it as a shared
// library alone: Debian's needs a newer glibc and libstdc++ than our programs.
#include <fmt/format-inl.h>
#include <fmt/format.h>

// What headers of fmt 9 leave to the library.
namespace fmt::detail {
template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);
} // namespace fmt::detail
