// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces the compiler's headers by Clang's.

#include "Instrument/Parse/CompilerHeaders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace loopscope::instrument {
namespace {

class HidingFileSystem : public vfs::ProxyFileSystem {
public:
  HidingFileSystem(std::vector<std::string> Directories, std::string Clang)
      : ProxyFileSystem(vfs::getRealFileSystem()),
        Directories(std::move(Directories)), Clang(std::move(Clang)) {}

  ErrorOr<vfs::Status> status(const Twine &Path) override {
    if (isHidden(Path))
      return make_error_code(errc::no_such_file_or_directory);
    return ProxyFileSystem::status(Path);
  }

  bool exists(const Twine &Path) override {
    return !isHidden(Path) && ProxyFileSystem::exists(Path);
  }

  ErrorOr<std::unique_ptr<vfs::File>>
  openFileForRead(const Twine &Path) override {
    if (isHidden(Path))
      return make_error_code(errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(Path);
  }

private:
  bool isHidden(const Twine &Path) {
    SmallString<256> Buffer;
    StringRef Text = Path.toStringRef(Buffer);
    return any_of(Directories, [&](StringRef Directory) {
      StringRef Name = Text;
      return Name.consume_front(Directory) && Name.consume_front("/") &&
             !Name.empty() && ProxyFileSystem::exists(Clang + "/" + Name);
    });
  }

  std::vector<std::string> Directories;
  std::string Clang;
};

} // namespace

IntrusiveRefCntPtr<vfs::FileSystem>
withoutHeaders(const std::vector<std::string> &Directories, std::string Clang) {
  std::vector<std::string> Others;
  for (const std::string &Each : Directories)
    if (!sys::fs::equivalent(Each, Clang)) // The compiler may be this Clang.
      Others.push_back(Each);
  return makeIntrusiveRefCnt<HidingFileSystem>(std::move(Others),
                                               std::move(Clang));
}

} // namespace loopscope::instrument
