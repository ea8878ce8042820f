// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fmi3_updates.hpp"
#include "fmu/bulk_getting.hpp"
#include "fmu/fault_sink.hpp"
#include "fmu/input_derivatives.hpp"
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

/// What all instances of one FMI 3.0 library share.
struct Fmi3Binary {
    Fmi3Functions functions;
    std::string resources; ///< path of the resources folder, ending with a slash
    InputDerivativeMap input_derivatives;
    Strictness strictness = Strictness::lenient;
};

/// An fmi3Instance: its life, its values and its saved states, which are the same for co-simulation
/// and model exchange.
class Fmi3Instance {
public:
    /// Instantiates for what `binary` has been loaded for; all but `name` and `claim` must outlive
    /// the instance. `claim` is held until it is freed. `updates` takes part in its steps; null:
    /// nobody does.
    Fmi3Instance(const std::string& name, const Fmi3Binary& binary,
                 const scenario::UnitDescription& description, InstanceContext context,
                 FaultSink& sink, Fmi3Updates* updates = nullptr);
    ~Fmi3Instance();
    Fmi3Instance(const Fmi3Instance&) = delete;
    Fmi3Instance& operator=(const Fmi3Instance&) = delete;

    fmi3::Instance instance() const { return instance_; }
    RunTimeRules& rules() { return rules_; }
    /// Of an instance for co-simulation.
    bool has_event_mode() const { return has_event_mode_; }
    const Fmi3Functions& functions() const { return functions_; }

    void enter_initialization(const Horizon& horizon);
    void exit_initialization();
    void terminate();

    void set(const Bulk& values) {
        if (starts_.is_open()) [[unlikely]]
            starts_.follow(values);
        if (values.type == ValueType::float64) [[likely]] {
            set_reals(values.references, {static_cast<const double*>(values.data), values.count});
        } else {
            set_others(values);
        }
    }
    void set_reals(std::span<const ValueRef> references, std::span<const double> values) {
        check(set_float64_(instance_, references.data(), references.size(), values.data(),
                           values.size()),
              "fmi3SetFloat64");
    }
    void get(const Bulk& values) {
        if (values.type == ValueType::float64 && getting_.is_plain()) [[likely]] {
            check(get_float64_(instance_, values.references.data(), values.references.size(),
                               static_cast<double*>(values.data), values.count),
                  "fmi3GetFloat64");
        } else {
            get_others(values);
        }
    }

    BulkGetting& getting() { return getting_; }

    /// false: the instance refuses it, and nothing else has happened.
    bool try_get(const Bulk& values);

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

    void check(fmi3::Status status, const char* call) {
        if (status > fmi3::Status::warning) [[unlikely]]
            fail(status, call);
    }
    [[noreturn, gnu::cold]] void fail(fmi3::Status status, const char* call);
    /// After a call that has failed nothing but freeing the instance is left.
    [[noreturn, gnu::cold]] void fail(const char* call, std::string_view reason);

    // What the FMU calls.
    Fmi3Updates* updates() { return updates_; }

private:
    void instantiate_model_exchange(const std::string& name, const Fmi3Binary& binary,
                                    const scenario::UnitDescription& description);
    void instantiate_co_simulation(const std::string& name, const Fmi3Binary& binary,
                                   const scenario::UnitDescription& description);
    void require_instance(const char* call);
    template <class T>
    void set_as(const Bulk& values, fmi3::Set<T>* function, const char* call);
    template <class T>
    void read(const Bulk& values, std::span<T> targets, fmi3::Get<T>* function, const char* call);
    template <class T>
    void get_as(const Bulk& values, fmi3::Get<T>* function, const char* call);
    void set_strings(const Bulk& values);
    void set_binaries(const Bulk& values);
    void get_booleans(const Bulk& values);
    void get_strings(const Bulk& values);
    void get_binaries(const Bulk& values);
    [[gnu::cold]] void set_others(const Bulk& values);
    void set_uint64(const Bulk& values);
    [[gnu::cold]] void get_others(const Bulk& values);

    fmi3::Instance instance_ = nullptr; ///< null: nothing may be called
    fmi3::SetFloat64* set_float64_;     ///< the calls of every step, next to the instance
    fmi3::GetFloat64* get_float64_;
    BulkGetting getting_;
    bool has_event_mode_ = false;
    bool logs_ = true;
    std::vector<ValueRef> structural_; ///< parameters to be set in configuration mode
    bool runs_ = false; ///< between initialization and the end: to be terminated before it is freed
    const Fmi3Functions& functions_;
    FaultSink& sink_;
    Fmi3Updates* updates_; ///< null: nobody takes part in its steps

    Scratch scratch_, sizes_;
    std::vector<fmi3::FmuState> states_; ///< by slot
    UnitLog log_;
    RunTimeRules rules_;
    StartValues starts_;
    bool is_trial_ = false;
    std::shared_ptr<void> claim_; ///< shared with the FMU, which sees whether an instance lives
};

} // namespace rubato::unit
