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
#include "negated_aliases.hpp"

#include <rubato/unit/unit.hpp>

#include <memory>
#include <string>

namespace rubato::unit {

/// What all instances of one FMI 1.0 library share.
struct Fmi1Binary {
    Fmi1Functions functions;
    std::string location; ///< URI of the folder that holds what is in the FMU
    NegatedAliases negated;
    Strictness strictness = Strictness::lenient;
};

/// An fmiComponent: its life and its values, which are the same for co-simulation and model
/// exchange. FMI 1.0 has no initialization mode: values are set, one call initializes, values are
/// read. When that call comes is up to the owner, who says so by starts().
class Fmi1Instance {
public:
    /// Instantiates; `binary`, `description` and `sink` must outlive the instance. `context.log`,
    /// too.
    Fmi1Instance(const std::string& name, scenario::Interface interface, const Fmi1Binary& binary,
                 const scenario::UnitDescription& description, InstanceContext context,
                 FaultSink& sink);
    ~Fmi1Instance();
    Fmi1Instance(const Fmi1Instance&) = delete;
    Fmi1Instance& operator=(const Fmi1Instance&) = delete;

    fmi1::Component component() const { return component_; }
    /// The last message of an error, which is forgotten.
    std::string take_error() { return log_.take_error(); }
    RunTimeRules& rules() { return rules_; }
    const Fmi1Functions& functions() const { return binary_.functions; }

    /// What is set from now on takes part in the initialization, or comes after it.
    void begin_initialization() { starts_.begin_initialization(); }
    void starts() { runs_ = true; } ///< it is initialized
    /// Reads back what was set before.
    void check_start_values();
    void terminate();

    void set(const Bulk& values);
    void get(const Bulk& values);
    /// false: the instance refuses it, and nothing else has happened.
    bool try_get(const Bulk& values);
    fmi1::Status set_reals(std::span<const ValueRef> references, std::span<const double> values);
    fmi1::Status set_input_derivatives(std::span<const ValueRef> inputs,
                                       std::span<const fmi1::Integer> orders,
                                       std::span<const double> values);

    void check(fmi1::Status status, const char* call) {
        if (status > fmi1::Status::warning) [[unlikely]]
            fail(status, call);
    }
    [[noreturn, gnu::cold]] void fail(fmi1::Status status, const char* call);
    /// After a call that has failed nothing but freeing the instance is left.
    [[noreturn, gnu::cold]] void fail(const char* call, std::string_view reason);
    BulkGetting& getting() { return getting_; }

private:
    template <class T, class Getter>
    void read(Getter* getter, const char* call, const Bulk& values, std::span<T> targets);
    /// The references that the FMU knows. Valid until the next call.
    std::span<const ValueRef> known(std::span<const ValueRef> references);
    /// Negates those values whose variables are negated aliases.
    template <class T>
    void negate(std::span<const ValueRef> references, std::span<T> values) const;
    /// The values as the FMU knows them. Valid until the next call.
    std::span<const double> known(std::span<const ValueRef> references,
                                  std::span<const double> values);

    void set_integers(const Bulk& values);
    void set_booleans(const Bulk& values);
    void set_strings(const Bulk& values);
    void get_reals(const Bulk& values);
    void get_integers(const Bulk& values);
    void get_booleans(const Bulk& values);
    void get_strings(const Bulk& values);

    fmi1::Component component_ = nullptr; ///< null: nothing may be called
    const Fmi1Binary& binary_;
    FaultSink& sink_;
    const char* terminate_name_;
    bool runs_ = false; ///< between initialization and the end: to be terminated before it is freed

    Scratch scratch_, references_;
    BulkGetting getting_;
    UnitLog log_;
    RunTimeRules rules_;
    StartValues starts_;
    bool is_trial_ = false;
    std::shared_ptr<void> claim_; ///< shared with the FMU, which sees whether an instance lives
};

} // namespace rubato::unit
