// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "importer_log.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/time.hpp>
#include <rubato/core/value.hpp>
#include <rubato/pipeline/scenario_unit.hpp>
#include <rubato/unit/library.hpp>
#include <rubato/unit/unit.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

/// An exported scenario behind the functions of FMI.
namespace rubato::runtime {

/// What an importer says when it makes an instance.
struct Request {
    std::string name;
    std::string identifier; ///< GUID or instantiation token
    std::filesystem::path resources;
    pipeline::UnitSurroundings around;
};

/// Which types of variables a function of a standard accesses.
class TypeSet {
public:
    constexpr TypeSet(std::initializer_list<ValueType> types) {
        for (const ValueType type : types) bits_ |= bit(type);
    }
    constexpr bool contains(ValueType type) const { return (bits_ & bit(type)) != 0; }

private:
    static constexpr std::uint32_t bit(ValueType type) { return 1u << static_cast<unsigned>(type); }
    std::uint32_t bits_ = 0;
};

/// A saved state: fmi2FMUstate and fmi3FMUState point to one.
struct SavedState {
    std::uint32_t slot = 0;
    std::uint64_t life = 0;          ///< of the instance, which a reset ends
    std::vector<double> derivatives; ///< of inputs
    unit::StepResult last_step;
    bool inputs_move = false;
};

/// The instance that fmi2Component and fmi3Instance point to. Faults are exceptions; Errors name
/// inner units by their paths.
class Instance {
public:
    Instance(Request request, ImporterLog::Sink log, bool logging_on);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    ImporterLog& log() { return log_; }
    unit::Unit& unit() { return *unit_; }

    /// As if it was new. Saved states are lost.
    void reset();

    unit::Horizon horizon; ///< for enter_initialization
    void enter_initialization() {
        unit_->enter_initialization(horizon);
        last_step_ = {horizon.start};
    }

    /// Throws Error if it has none, or the importer did not ask for it.
    unit::EventMode& event_mode();

    unit::StepResult step(Time from, Duration by);
    /// How the last step ended.
    const unit::StepResult& last_step() const { return last_step_; }

    /// Values of all variables, arrays element by element. Throws Error unless they exist and are
    /// of these types.
    std::size_t count(std::span<const ValueRef> references, TypeSet types) const;
    /// `values`: as many of the type's storage as `count` says.
    void get(std::span<const ValueRef> references, void* values);
    void set(std::span<const ValueRef> references, const void* values);
    /// Memory for values on their way, until the next call.
    template <class T>
    std::span<T> buffer(std::size_t count) {
        return std::get<Buffer<T>>(buffers_).of(count);
    }
    /// For a message.
    std::string name_of(ValueRef reference) const;

    void set_input_derivative(ValueRef input, unsigned order, double value);
    void get_directional_derivative(std::span<const ValueRef> unknowns,
                                    std::span<const ValueRef> knowns, std::span<const double> seed,
                                    std::span<double> sensitivity);

    /// Makes a state, or saves it anew.
    void save(SavedState*& state);
    void restore(const SavedState& state);
    void release(SavedState*& state);
    /// A state as bytes, which another instance can read.
    std::vector<std::byte> serialize(const SavedState& state);
    /// Makes a state. An instance that has not been initialized is, so that it can be restored.
    void deserialize(std::span<const std::byte> bytes, SavedState*& state);

private:
    template <class T>
    struct Buffer {
        std::unique_ptr<T[]> data;
        std::size_t size = 0;
        std::span<T> of(std::size_t count) {
            if (count > size) {
                data = std::make_unique<T[]>(count);
                size = count;
            }
            return {data.get(), count};
        }
    };
    /// Neighbouring references of one type, all of the interface or all added to it.
    template <class Use>
    void for_each_run(std::span<const ValueRef> references, char* values, Use&& use);
    /// To the variables of the interface: derivatives of inputs and, after them, time.
    bool is_added(ValueRef reference) const { return reference >= exposed_; }
    std::size_t time_reference() const { return exposed_ + derivative_inputs_.size(); }
    bool is_time(ValueRef reference) const { return reference == time_reference(); }
    ValueType type_of(ValueRef reference) const;
    const scenario::Variable& variable(ValueRef reference) const {
        return scenario_->interface.description.variables[reference];
    }
    void require_settable(ValueRef reference) const;
    unit::Snapshots& snapshots();
    unit::SerializedStates& serialized_states();
    std::unique_ptr<SavedState> new_state() const;
    void take_slot_of(const SavedState& state);
    void initialize_to_restore(const unit::Horizon& of);
    void let_inputs_move();
    unit::StepResult step_on_grid(Time from, Duration by);
    void pass(Time now);
    double rounding(Time from, Duration by) const;

    Request request_;
    ImporterLog log_;
    unit::Library library_;
    std::shared_ptr<const pipeline::NestedAssembly> scenario_;
    std::size_t exposed_ = 0;
    std::vector<pipeline::DerivativeInput> derivative_inputs_;
    std::unique_ptr<unit::Unit> unit_;
    unit::StepResult last_step_{};

    std::vector<double> derivatives_; ///< of inputs, which are inputs themselves
    std::vector<bool> moving_;        ///< the same: set since it was zero
    bool inputs_move_ = false;        ///< derivatives have been set
    std::vector<Part> parts_;
    std::tuple<Buffer<double>, Buffer<std::int64_t>, Buffer<bool>, Buffer<std::string>> buffers_;
    std::vector<std::uint32_t> free_slots_;
    std::uint32_t slots_ = 0;
    std::uint64_t life_ = 0;
};

/// What every exported function does: turns faults into a message and an error status. `body` gets
/// the instance, and returns a Status or nothing.
template <class Status, class Body>
Status guarded(void* pointer, const char* function, Body&& body) {
    auto* const instance = static_cast<Instance*>(pointer);
    if (instance == nullptr) return Status::error;
    Status status = Status::ok;
    try {
        unit::calling_units([&] {
            if constexpr (std::is_void_v<decltype(body(*instance))>)
                body(*instance);
            else
                status = body(*instance);
        });
        return status;
    } catch (const std::exception& fault) {
        unit::note_no_call();
        instance->log().error(std::string(function) + ": " + fault.what());
        return Status::error;
    }
}

inline void require(bool condition, const char* otherwise) {
    if (!condition) [[unlikely]]
        throw Error(otherwise);
}

/// The references of a call, which has values for them.
inline std::span<const ValueRef> span_of(const ValueRef* references, std::size_t count,
                                         const void* values) {
    require(count == 0 || (references != nullptr && values != nullptr),
            "value references or values are missing");
    return {references, count};
}

/// Makes an instance; null, with the reason in the log, when that fails.
Instance* instantiate(Request request, const ImporterLog::Sink& log, bool logging_on,
                      const char* function) noexcept;

} // namespace rubato::runtime
