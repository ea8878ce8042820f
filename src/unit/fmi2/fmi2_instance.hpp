// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmu/bulk_getting.hpp"
#include "fmu/fault_sink.hpp"
#include "fmu/instance_context.hpp"
#include "fmu/run_time_rules.hpp"
#include "fmu/scratch.hpp"
#include "fmu/start_values.hpp"
#include "fmu/unit_log.hpp"
#include "functions.hpp"

#include <rubato/unit/unit.hpp>

#include <memory>
#include <string>
#include <vector>

namespace rubato::unit {

/// What all instances of one FMI 2.0 library share.
struct Fmi2Binary {
    Fmi2Functions functions;
    std::string resources; ///< URI of the resources folder
    Strictness strictness = Strictness::lenient;
};

/// An fmi2Component: its life, its values and its saved states, which are the same for
/// co-simulation and model exchange.
class Fmi2Instance {
public:
    /// Instantiates; `binary`, `description` and `sink` must outlive the instance. `claim` is held
    /// until it is freed.
    Fmi2Instance(const std::string& name, fmi2::Type type, const Fmi2Binary& binary,
                 const scenario::UnitDescription& description, InstanceContext context,
                 FaultSink& sink);
    ~Fmi2Instance();
    Fmi2Instance(const Fmi2Instance&) = delete;
    Fmi2Instance& operator=(const Fmi2Instance&) = delete;

    fmi2::Component component() const { return component_; }
    /// The last message of an error, which is forgotten.
    std::string take_error() { return log_.take_error(); }
    RunTimeRules& rules() { return rules_; }
    const Fmi2Functions& functions() const { return functions_; }

    void enter_initialization(const Horizon& horizon);
    void exit_initialization();
    void terminate();

    /// What is set before initialization gets there after fmi2SetupExperiment, in which FMUs are
    /// known to initialize their variables.
    void set(const Bulk& values) {
        if (starts_.is_open()) [[unlikely]] {
            starts_.follow(values);
            if (starts_.is_before_initialization()) return require_32_bits(values);
        }
        set_now(values);
    }
    void set_now(const Bulk& values) {
        if (values.type == ValueType::float64) [[likely]] {
            check(set_real_(component_, values.references.data(), values.count,
                            static_cast<const double*>(values.data)),
                  "fmi2SetReal");
        } else {
            set_others(values);
        }
    }
    void get(const Bulk& values) {
        if (values.type == ValueType::float64 && getting_.is_plain()) [[likely]] {
            check(get_real_(component_, values.references.data(), values.count,
                            static_cast<double*>(values.data)),
                  "fmi2GetReal");
        } else {
            get_others(values);
        }
    }

    /// false: the instance refuses it, and nothing else has happened.
    bool try_get(const Bulk& values);

    BulkGetting& getting() { return getting_; }

    bool has_snapshots() const { return functions_.get_fmu_state != nullptr; }
    void save(std::uint32_t slot);
    void restore(std::uint32_t slot);
    bool can_serialize() const {
        return has_snapshots() && functions_.serialized_fmu_state_size != nullptr &&
               functions_.serialize_fmu_state != nullptr &&
               functions_.deserialize_fmu_state != nullptr;
    }
    void serialize(std::uint32_t slot, std::vector<std::byte>& bytes);
    void deserialize(std::uint32_t slot, std::span<const std::byte> bytes);

    void check(fmi2::Status status, const char* call) {
        if (status > fmi2::Status::warning) [[unlikely]]
            fail(status, call);
    }
    [[noreturn, gnu::cold]] void fail(fmi2::Status status, const char* call);
    /// After a call that has failed nothing but freeing the instance is left.
    [[noreturn, gnu::cold]] void fail(const char* call, std::string_view reason);

private:
    template <class T, class Getter>
    void read(Getter* getter, const char* call, const Bulk& values, std::span<T> targets);
    void require_32_bits(const Bulk& values);
    void set_integers(const Bulk& values);
    void set_booleans(const Bulk& values);
    void set_strings(const Bulk& values);
    void get_integers(const Bulk& values);
    void get_booleans(const Bulk& values);
    void get_strings(const Bulk& values);
    [[gnu::cold]] void set_others(const Bulk& values);
    [[gnu::cold]] void get_others(const Bulk& values);

    fmi2::Component component_ = nullptr; ///< null: nothing may be called
    fmi2::SetReal* set_real_;             ///< the calls of every step, next to the instance
    fmi2::GetReal* get_real_;
    BulkGetting getting_;
    bool runs_ = false; ///< between initialization and the end: to be terminated before it is freed
    const Fmi2Functions& functions_;
    FaultSink& sink_;

    Scratch scratch_;
    std::vector<fmi2::FmuState> states_; ///< by slot
    UnitLog log_;
    RunTimeRules rules_;
    StartValues starts_;
    bool is_trial_ = false;
    fmi2::CallbackFunctions callbacks_;
    std::shared_ptr<void> claim_; ///< shared with the FMU, which sees whether an instance lives
};

} // namespace rubato::unit
