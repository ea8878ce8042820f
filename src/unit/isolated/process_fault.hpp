// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace rubato::unit {

/// The process of an isolated unit has ended, hangs or talks nonsense: there is nothing left to
/// call.
class ProcessFault : public std::runtime_error {
public:
    explicit ProcessFault(const std::string& reason, std::string hint = {})
        : std::runtime_error(reason), hint_(std::move(hint)) {}
    const std::string& hint() const { return hint_; }

private:
    std::string hint_;
};

} // namespace rubato::unit
