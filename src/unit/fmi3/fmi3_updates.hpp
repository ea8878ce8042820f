// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "functions.hpp"
#include "me/input_motion.hpp"

#include <rubato/unit/unit.hpp>

#include <exception>
#include <vector>

namespace rubato::unit {

class Fmi3Instance;

/// What happens within the steps of an FMU that lets its importer take part in them (FMI 3.0.2
/// section 4.2.1, Intermediate Update Mode): sampled outputs are read where a step of its own
/// solver has ended, and inputs that move are set where it asks for them. The FMU is not asked to
/// return early.
class Fmi3Updates {
public:
    explicit Fmi3Updates(const scenario::UnitDescription& description);
    ~Fmi3Updates();
    Fmi3Updates(const Fmi3Updates&) = delete;
    Fmi3Updates& operator=(const Fmi3Updates&) = delete;
    void belong_to(Fmi3Instance& instance) { instance_ = &instance; }

    /// The variables that may be read or set, as given when the FMU is instantiated.
    std::span<const ValueRef> variables() const { return variables_; }
    bool follows_inputs() const { return !inputs_.references().empty(); }
    bool are_used() const { return inputs_.moves() || samples_.is_sampling(); }

    InputMotion& inputs() { return inputs_; }
    InnerSamples& samples() { return samples_; }
    const InnerSamples& samples() const { return samples_; }
    /// Takes note of what inputs are set to.
    void follow(const Bulk& values);

    /// Whose step an update belongs to: that which this thread is in, else that of the living
    /// instance that the FMU hands back, which may be anything. Null: of none.
    static Fmi3Updates* find(const void* environment) noexcept;

    void begin_step(Time from, Duration by);
    /// After the call, however it has ended.
    void leave_step() noexcept;
    /// Called by the FMU. Lets no exception out: the FMU need not be written in C++.
    void update(double time, bool set_requested, bool get_allowed, bool step_finished) noexcept;
    /// Inputs are then what they are there. Throws what went wrong in the updates.
    void end_step(Time reached);
    /// What an update within the step has thrown, if it has.
    void rethrow_fault();

private:
    Fmi3Instance* instance_ = nullptr;
    Fmi3Updates* outer_ = nullptr; ///< whose step the thread was in before
    std::vector<ValueRef> variables_;
    InputMotion inputs_;
    InnerSamples samples_;
    std::exception_ptr thrown_;
};

} // namespace rubato::unit
