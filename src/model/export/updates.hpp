// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "call_order.hpp"

#include <rubato/fmi/fmi3.hpp>
#include <rubato/model/instance.hpp>

#include <span>
#include <vector>

namespace rubato::model {

/// An importer that takes part in the steps of an instance (FMI 3.0.2 section 4.2.1, Intermediate
/// Update Mode): it is called back within them, and may then read or set the variables that it has
/// named. It is not let return early.
class Updates final : public StepListener {
public:
    /// From now on. Throws std::runtime_error when a variable is none that may be used so.
    void call_back(Instance& instance, fmi3::IntermediateUpdate* callback,
                   fmi3::InstanceEnvironment environment, std::span<const ValueRef> variables);

    bool is_under_way() const { return mode_ != Mode::none; }
    /// Whether a call may be made now.
    bool admit(Call call) const {
        return mode_ == Mode::none || call == (mode_ == Mode::getting ? Call::get : Call::set);
    }
    /// Throws std::runtime_error when a variable may not be used now.
    void require_access(const ModelType& type, std::span<const ValueRef> references) const {
        if (mode_ != Mode::none) [[unlikely]]
            check_access(type, references);
    }

private:
    enum class Mode : std::uint8_t { none, getting, setting };

    void set_inputs(double time) override { update(time, Mode::setting); }
    void reached(double time) override { update(time, Mode::getting); }
    void update(double time, Mode mode);
    void check_access(const ModelType& type, std::span<const ValueRef> references) const;

    Mode mode_ = Mode::none;
    fmi3::IntermediateUpdate* callback_ = nullptr;
    fmi3::InstanceEnvironment environment_ = nullptr;
    std::vector<ValueRef> variables_; ///< sorted
};

} // namespace rubato::model
