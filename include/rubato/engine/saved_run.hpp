// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/time.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace rubato::engine {

/// A whole run, with its units, as it was between two steps. Only the simulation that it was saved
/// from can be restored from it.
class SavedRun {
public:
    Time time() const { return time_; }

private:
    friend class Simulation;
    SavedRun() = default;

    Time time_;
    const void* owner_ = nullptr;               ///< the simulation
    std::shared_ptr<const std::uint32_t> slot_; ///< of the units' states; free again after its end
    std::vector<std::byte> state_;
};

} // namespace rubato::engine
