// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes copies of a header for one file.

#include "Instrument/Parse/Copies.h"

#include "llvm/Support/Chrono.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace llvm;

namespace loopscope::instrument {
namespace {

/// A file with another identity.
class RenumberedFile : public vfs::File {
public:
  RenumberedFile(std::unique_ptr<vfs::File> Of, vfs::Status Status)
      : Of(std::move(Of)), Status(std::move(Status)) {}

  ErrorOr<vfs::Status> status() override { return Status; }
  ErrorOr<std::string> getName() override { return Of->getName(); }
  std::error_code close() override { return Of->close(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name,
                                                   int64_t Size,
                                                   bool RequiresNullTerminator,
                                                   bool IsVolatile) override {
    return Of->getBuffer(Name, Size, RequiresNullTerminator, IsVolatile);
  }

private:
  std::unique_ptr<vfs::File> Of;
  vfs::Status Status;
};

class CopiesAsOne : public vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    ErrorOr<vfs::Status> Found = ProxyFileSystem::status(Path);
    return Found ? identified(*Found, Path) : Found;
  }

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    ErrorOr<std::unique_ptr<vfs::File>> Found =
        ProxyFileSystem::openFileForRead(Path);
    if (!Found)
      return Found;
    ErrorOr<vfs::Status> Own = (*Found)->status();
    if (!Own)
      return Found;
    vfs::Status Known = identified(*Own, Path);
    if (Known.getUniqueID() == Own->getUniqueID())
      return Found;
    return std::make_unique<RenumberedFile>(std::move(*Found),
                                            std::move(Known));
  }

private:
  /// What files with the same size and time have in common.
  using Key = std::pair<uint64_t, std::time_t>;
  struct Original {
    std::string Path;
    sys::fs::UniqueID Identity;
  };

  /// STATUS, which is that of PATH, perhaps with the identity of a file of
  /// which PATH is a copy.
  vfs::Status identified(const vfs::Status &Status, const Twine &Path) {
    if (!Status.isRegularFile() || Status.getSize() == 0)
      return Status;
    sys::fs::UniqueID Identity = Status.getUniqueID();
    auto [Known, IsNew] = Identities.try_emplace(Identity, Identity);
    if (IsNew)
      Known->second = originalOf(Status, Path);
    if (Known->second == Identity)
      return Status;
    return {Status.getName(),
            Known->second,
            Status.getLastModificationTime(),
            Status.getUser(),
            Status.getGroup(),
            Status.getSize(),
            Status.getType(),
            Status.getPermissions()};
  }

  sys::fs::UniqueID originalOf(const vfs::Status &Status, const Twine &Path) {
    Key Alike(Status.getSize(), sys::toTimeT(Status.getLastModificationTime()));
    std::vector<Original> &List = Originals[Alike];
    for (const Original &Each : List)
      if (isCopy(Path, Each.Path))
        return Each.Identity;
    List.push_back({Path.str(), Status.getUniqueID()});
    return Status.getUniqueID();
  }

  bool isCopy(const Twine &Path, const Twine &Of) {
    auto Text = ProxyFileSystem::getBufferForFile(Path);
    auto First = ProxyFileSystem::getBufferForFile(Of);
    static const Regex Once("^[ \t]*#[ \t]*pragma[ \t]+once", Regex::Newline);
    return Text && First && (*Text)->getBuffer() == (*First)->getBuffer() &&
           Once.match((*Text)->getBuffer());
  }

  std::map<Key, std::vector<Original>> Originals;
  std::map<sys::fs::UniqueID, sys::fs::UniqueID> Identities;
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem>
withCopiesAsOne(IntrusiveRefCntPtr<vfs::FileSystem> Files) {
  return makeIntrusiveRefCnt<CopiesAsOne>(std::move(Files));
}

} // namespace loopscope::instrument
