// Telling input files apart.
#include "Report/Input.h"

#include "Profile/Merge.h"
#include "Profile/ProfileReader.h"
#include "Report/Views.h"

using namespace loopscope;

Result<Section> loopscope::readSection(const std::string &Path, View Which,
                                       const ViewOptions &Options) {
  Result<Profile> P = readProfile(Path);
  if (!P)
    return P.error();
  return buildSection(*P, Which, Options);
}

Result<Section>
loopscope::readMergedSection(const std::vector<std::string> &Paths, View Which,
                             const ViewOptions &Options) {
  std::vector<Profile> All;
  for (const std::string &Path : Paths) {
    Result<Profile> P = readProfile(Path);
    if (!P)
      return P.error();
    All.push_back(std::move(*P));
  }
  return buildSection(mergeProfiles(std::move(All)), Which, Options);
}
