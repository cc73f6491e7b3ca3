/* An NVTX client like NVTX's headers, for machines without them: finds a tool in the program, gives
 * it the tables, and calls the functions that it filled in. */
#include "nvtx/abi.h"

#include <cstddef>

namespace client {
using namespace loopscope::runtime;

inline nvtx::Function CoreSlots[nvtx::CoreSize];
inline nvtx::Function Core2Slots[nvtx::Core2Size];

inline int getModule(int Module, nvtx::Table *Result, unsigned *Size) {
  static nvtx::Function *Core[nvtx::CoreSize];
  static nvtx::Function *Core2[nvtx::Core2Size];
  for (unsigned I = 1; I < nvtx::CoreSize; ++I) {
    Core[I] = &CoreSlots[I];
    Core2[I] = &Core2Slots[I];
  }
  if (Module != nvtx::Core && Module != nvtx::Core2)
    return 0;
  *Result = Module == nvtx::Core ? Core : Core2;
  *Size = nvtx::CoreSize;
  return 1;
}

inline const void *getExportTable(uint32_t Id) {
  static const nvtx::Callbacks Table = {sizeof(Table), getModule};
  return Id == nvtx::CallbacksTable ? &Table : nullptr;
}

} // namespace client

extern "C" __attribute__((weak)) int (*InitializeInjectionNvtx2_fnptr)(
    loopscope::runtime::nvtx::GetExportTable);

namespace client {
/* Whether a tool accepted us. */
inline bool attach() {
  return InitializeInjectionNvtx2_fnptr != nullptr &&
         InitializeInjectionNvtx2_fnptr(getExportTable) != 0;
}

template <typename Result, typename... Arguments>
Result call(nvtx::Function Slot, Arguments... All) {
  return reinterpret_cast<Result (*)(Arguments...)>(Slot)(All...);
}

inline int push(const char *Name) {
  return call<int>(CoreSlots[nvtx::RangePushA], Name);
}
inline int pop() { return call<int>(CoreSlots[nvtx::RangePop]); }
inline void *domain(const char *Name) {
  return call<void *>(Core2Slots[nvtx::DomainCreateA], Name);
}
inline int push(void *Domain, const char *Name) {
  nvtx::Attributes Event{};
  Event.Version = 3;
  Event.Size = sizeof(Event);
  Event.MessageType = nvtx::Ascii;
  Event.Message = Name;
  return call<int>(Core2Slots[nvtx::DomainRangePushEx], Domain,
                   static_cast<const nvtx::Attributes *>(&Event));
}
inline int pop(void *Domain) {
  return call<int>(Core2Slots[nvtx::DomainRangePop], Domain);
}
} // namespace client
