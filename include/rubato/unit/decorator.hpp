// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/unit/unit.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace rubato::unit {

/// A unit around another of the same name. Each call goes to the inner unit; a derived class
/// overrides those that it changes, and calls the functions of this class for the rest.
class Decorator : public Unit {
public:
    ~Decorator() override;
    /// A derived class lists every ability: one of its own, that of `forwarded`, or none.
    Abilities abilities() noexcept override = 0;

protected:
    explicit Decorator(std::unique_ptr<Unit> inner);

    Unit& inner() const { return *inner_; }
    /// What the inner unit can do, through this one; but for direct calls, which would bypass it.
    Abilities forwarded() noexcept;
    /// Errors of the inner unit are this one's.
    template <class Action>
    std::invoke_result_t<Action> forwarding(Action&& action) {
        try {
            return std::forward<Action>(action)();
        } catch (...) {
            note_fault();
            throw;
        }
    }

    void do_enter_initialization(const Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    StepResult do_step(Time from, Duration by) override;
    void do_terminate() override;
    /// For decorators with a state of their own. The phase is saved for them.
    virtual void do_save(std::uint32_t slot);
    virtual void do_restore(std::uint32_t slot);
    virtual void do_release(std::uint32_t slot);
    virtual void do_serialize(std::uint32_t slot, std::vector<std::byte>& bytes);
    virtual void do_deserialize(std::uint32_t slot, std::span<const std::byte> bytes);

private:
    class States;
    class Derivatives;
    class Events;

    std::unique_ptr<Unit> inner_;
    std::unique_ptr<States> states_;
    std::unique_ptr<Derivatives> derivatives_;
    std::unique_ptr<Events> events_;
};

} // namespace rubato::unit
