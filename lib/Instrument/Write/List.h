// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table that --list prints.

#ifndef LOOPSCOPE_INSTRUMENT_WRITE_LIST_H
#define LOOPSCOPE_INSTRUMENT_WRITE_LIST_H

#include "Instrument/Write/Plan.h"

namespace loopscope::instrument {

/// One row: a site.
struct Listed {
  std::string Phase, Kind, Place, Function;
};

/// The rows of a file's sites.
std::vector<Listed> listSites(const PlannedFile &File);

/// The table with its header, or a line saying that nothing was found.
std::string listTable(std::vector<Listed> Rows);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_WRITE_LIST_H
