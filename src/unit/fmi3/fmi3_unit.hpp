// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../scratch.hpp"
#include "../unit_log.hpp"
#include "functions.hpp"
#include "input_derivatives.hpp"

#include <rubato/unit/unit.hpp>

#include <memory>
#include <string>
#include <vector>

namespace rubato::unit {

/// What all instances of one FMI 3.0 FMU share.
struct Fmi3Binary {
    Fmi3Functions functions;
    std::string resources; ///< path of the resources folder, ending with a slash
    InputDerivativeMap input_derivatives;
};

/// An instance of an FMI 3.0 FMU for co-simulation, without event mode and intermediate updates.
class Fmi3Unit final : public Unit {
public:
    /// Instantiates; `binary` and `description` must outlive the unit. `claim` is held until the
    /// instance is freed.
    Fmi3Unit(std::string name, const Fmi3Binary& binary,
             const scenario::UnitDescription& description, Log& log, std::shared_ptr<void> claim);
    ~Fmi3Unit() override;

    Snapshots* snapshots() noexcept override;
    InputDerivatives* input_derivatives() noexcept override;

    /// For a program that makes bare FMI calls on the instance, such as a benchmark's floor.
    fmi3::Instance instance() const { return instance_; }
    const Fmi3Functions& functions() const { return functions_; }

private:
    class States final : public Snapshots {
    public:
        explicit States(Fmi3Unit& unit) : unit_(unit) {}
        void save(std::uint32_t slot) override;
        void restore(std::uint32_t slot) override;
        void free();

    private:
        Fmi3Unit& unit_;
        std::vector<fmi3::FmuState> slots_;
    };

    class Derivatives final : public InputDerivatives {
    public:
        Derivatives(Fmi3Unit& unit, const InputDerivativeMap& map) : unit_(unit), map_(map) {}
        unsigned max_order() const override;
        void set(std::span<const ValueRef> inputs, unsigned order,
                 std::span<const double> values) override;

    private:
        Fmi3Unit& unit_;
        const InputDerivativeMap& map_;
        std::vector<ValueRef> references_;
    };

    void do_enter_initialization(const Horizon& horizon) override;
    void do_exit_initialization() override;
    void do_set(const Bulk& values) override;
    void do_get(const Bulk& values) override;
    StepResult do_step(Time from, Duration by) override;
    void do_terminate() override;

    template <class T>
    void set_as(const Bulk& values, fmi3::Set<T>* function, const char* call);
    template <class T>
    void get_as(const Bulk& values, fmi3::Get<T>* function, const char* call);
    void set_strings(const Bulk& values);
    void set_binaries(const Bulk& values);
    void get_strings(const Bulk& values);
    void get_binaries(const Bulk& values);

    void check(fmi3::Status status, const char* call) {
        if (status > fmi3::Status::warning) [[unlikely]]
            fail_with(status, call);
    }
    [[noreturn, gnu::cold]] void fail_with(fmi3::Status status, const char* call);
    [[gnu::cold]] static StepResult discarded(Time from, Duration by, double reached);
    [[gnu::cold]] StepResult step_fell_short(Time from, Duration by, double reached, StepEnd end);
    [[gnu::cold]] void set_others(const Bulk& values);
    [[gnu::cold]] void get_others(const Bulk& values);

    fmi3::Instance instance_ = nullptr; ///< null: nothing may be called
    fmi3::SetFloat64* set_float64_;     ///< the calls of every step, beside the instance
    fmi3::GetFloat64* get_float64_;
    fmi3::DoStep* do_step_;
    bool may_roll_back_ = false; ///< a state has been saved
    const Fmi3Functions& functions_;

    Scratch scratch_, sizes_;
    States states_{*this};
    Derivatives derivatives_;
    UnitLog log_;
    std::shared_ptr<void> claim_; ///< shared with the FMU, which sees whether an instance lives
};

} // namespace rubato::unit
