// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../scratch.hpp"
#include "../unit_log.hpp"
#include "functions.hpp"

#include <rubato/unit/unit.hpp>

#include <memory>
#include <string>
#include <vector>

namespace rubato::unit {

/// What all instances of one FMI 2.0 FMU share.
struct Fmi2Binary {
    Fmi2Functions functions;
    std::string resources; ///< URI of the resources folder
};

/// An instance of an FMI 2.0 FMU for co-simulation.
class Fmi2Unit final : public Unit {
public:
    /// Instantiates; `binary` and `description` must outlive the unit. `claim` is held until the
    /// instance is freed.
    Fmi2Unit(std::string name, const Fmi2Binary& binary,
             const scenario::UnitDescription& description, Log& log, std::shared_ptr<void> claim);
    ~Fmi2Unit() override;

    Snapshots* snapshots() noexcept override;
    InputDerivatives* input_derivatives() noexcept override;
    std::optional<DirectCalls> direct_calls() noexcept override;

    /// For a program that makes bare FMI calls on the instance, such as a benchmark's floor.
    fmi2::Component component() const { return component_; }
    const Fmi2Functions& functions() const { return functions_; }

private:
    class States final : public Snapshots {
    public:
        explicit States(Fmi2Unit& unit) : unit_(unit) {}
        void save(std::uint32_t slot) override;
        void restore(std::uint32_t slot) override;
        void free();

    private:
        Fmi2Unit& unit_;
        std::vector<fmi2::FmuState> slots_;
    };

    class Derivatives final : public InputDerivatives {
    public:
        explicit Derivatives(Fmi2Unit& unit) : unit_(unit) {}
        unsigned max_order() const override;
        void set(std::span<const ValueRef> inputs, unsigned order,
                 std::span<const double> values) override;

    private:
        Fmi2Unit& unit_;
        std::vector<fmi2::Integer> orders_;
    };

    void do_enter_initialization(const Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    StepResult do_step(Time from, Duration by) override;
    void do_terminate() override;
    void do_raise(const char* call, int status) override;
    StepResult do_conclude(Time from, Duration by, int status) override;

    void set_integers(const Bulk& values);
    void set_booleans(const Bulk& values);
    void set_strings(const Bulk& values);
    void get_integers(const Bulk& values);
    void get_booleans(const Bulk& values);
    void get_strings(const Bulk& values);

    void check(fmi2::Status status, const char* call) {
        if (status > fmi2::Status::warning) [[unlikely]]
            fail_with(status, call);
    }
    [[noreturn, gnu::cold]] void fail_with(fmi2::Status status, const char* call);
    [[gnu::cold]] StepResult step_fell_short(fmi2::Status status, Time from, Duration by);
    [[gnu::cold]] void set_others(const Bulk& values);
    [[gnu::cold]] void get_others(const Bulk& values);

    fmi2::Component component_ = nullptr; ///< null: nothing may be called
    fmi2::SetReal* set_real_;             ///< the calls of every step, beside the instance
    fmi2::GetReal* get_real_;
    fmi2::DoStep* do_step_;
    fmi2::Boolean may_roll_back_ = fmi2::no; ///< a state has been saved
    const Fmi2Functions& functions_;

    Scratch scratch_;
    States states_{*this};
    Derivatives derivatives_{*this};
    UnitLog log_;
    fmi2::CallbackFunctions callbacks_;
    std::shared_ptr<void> claim_; ///< shared with the FMU, which sees whether an instance lives
};

} // namespace rubato::unit
