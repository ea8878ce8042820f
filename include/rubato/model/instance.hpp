// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/model/instance_types.hpp>
#include <rubato/model/model_type.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::model {

class LinearSolver;

/// A running model. For co-simulation it steps: within a step an input of type double is u(t+τ) = u
/// + u'τ + u''τ²/2, τ counted from the step's start; after it the input has the value at the step's
/// end. The derivatives u' and u'' are zero until set and stay until set again. For model exchange
/// time, states and inputs are set, and derivatives read. Between exit_initialization() and
/// terminate() nothing allocates.
class Instance {
public:
    /// `type` must outlive the instance.
    explicit Instance(const ModelType& type, Interface interface = Interface::co_simulation);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    const ModelType& type() const { return type_; }
    Phase phase() const { return header().phase; }
    double time() const { return header().time; }

    /// Throws std::runtime_error when structural parameters ask for more than there is room for.
    void enter_initialization(double start);
    /// Throws std::runtime_error when the chosen solver cannot solve the model.
    void exit_initialization();
    void terminate() { header().phase = Phase::terminated; }
    void reset(); ///< back to a new instance

    /// Values of variables of exactly the type T; std::int64_t is for enumerations, too.
    template <class T>
    AccessResult get(std::span<const ValueRef> references, T* values);
    template <class T>
    AccessResult set(std::span<const ValueRef> references, const T* values);

    /// Values of all variables of a storage, converted. An uint64 keeps its bits.
    AccessResult get_reals(std::span<const ValueRef> references, double* values) {
        const AccessResult result = get(references, values);
        return result.access == Access::wrong_type ? get_mixed_reals(references, values) : result;
    }
    AccessResult set_reals(std::span<const ValueRef> references, const double* values) {
        const AccessResult result = set(references, values);
        return result.access == Access::wrong_type ? set_mixed_reals(references, values) : result;
    }
    AccessResult get_integers(std::span<const ValueRef> references, std::int64_t* values);
    AccessResult set_integers(std::span<const ValueRef> references, const std::int64_t* values);

    /// Texts and bytes. What is got is valid until the variable changes; texts end with a zero.
    AccessResult get_texts(ValueType type, std::span<const ValueRef> references,
                           std::string_view* values);
    AccessResult set_texts(ValueType type, std::span<const ValueRef> references,
                           const std::string_view* values);

    /// How many values a variable has; 1 if it is unknown.
    std::uint32_t element_count(ValueRef reference) const;
    /// Throws std::runtime_error when structural parameters ask for more than there is room for.
    void require_sizes() const;
    /// The sizes of an array in each direction; empty for a scalar.
    std::vector<std::uint64_t> shape_of(const VariableType& variable) const;

    /// The order counts from 1; above 2 it is out of range.
    AccessResult set_input_derivative(ValueRef input, int order, double value);
    /// To be called when the last of some derivatives is set.
    void update_moving();

    /// The longest step [s] that the model accepts from here; infinite if it does not limit them.
    double longest_step(double from) const {
        return longest_step_ == nullptr ? std::numeric_limits<double>::infinity()
                                        : longest_step_(object_, from);
    }

    /// Returns the time reached: `from + by`, or earlier if the model accepts only a part. Throws
    /// std::runtime_error when the step cannot be made; the phase is then `failed`.
    double step(double from, double by) {
        if (!limits_steps_) [[likely]] {
            whole_step(from, by);
            header().time = from + by;
        } else {
            header().time = limited_step(from, by);
        }
        header().stale = Slot::needs_all;
        return header().time;
    }

    /// Whether the last step ended at an event, which is to be handled in event mode.
    bool at_event() const { return header().at_event; }
    bool is_hybrid() const { return interface_ == Interface::hybrid; }
    bool is_model_exchange() const { return interface_ == Interface::model_exchange; }
    /// Of a hybrid instance: whether a step may end before its end. If not, events within it are
    /// handled within it.
    void allow_early_return(bool allowed) { may_stop_early_ = allowed; }
    /// Clocks that time drives tick as the instance's own time events. In co-simulation they do so
    /// anyway.
    void tick_by_itself() { ticks_itself_ = true; }
    /// `listener` must outlive the instance; null: nobody. It is notified of times within steps,
    /// and asked for inputs if it `sets_inputs`: these then do not stand still.
    void listen(StepListener* listener, bool sets_inputs) {
        listener_ = listener;
        sets_inputs_ = listener != nullptr && sets_inputs;
    }

    // Event mode.
    void enter_event_mode();
    void enter_step_mode();
    Interval take_interval(ValueRef clock);
    /// Of a tunable clock. Throws std::runtime_error when it is not positive.
    void set_interval(ValueRef clock, double seconds);

    // Model exchange. Vectors have the model's number of states, or of crossings.
    void enter_continuous_time() { header().phase = Phase::continuous_time; }
    EventUpdate update_discrete();
    void set_time(double time);
    void set_states(const double* states);
    void get_states(double* states) const;
    void get_derivatives(double* derivatives);
    void get_crossings(double* crossings);

    /// How derivatives of states and outputs vary with states and inputs: J · seed. `wrong_type`: a
    /// variable is none of these. Only for models with variations().
    AccessResult get_variation(std::span<const ValueRef> unknowns, std::span<const ValueRef> knowns,
                               const double* seed, double* result);

    std::size_t saved_size() const { return type_.layout.saved; }
    void save(std::byte* to) const { std::memcpy(to, block_.get(), saved_size()); }
    void restore(const std::byte* from) {
        std::memcpy(block_.get(), from, saved_size());
        header().stale |= Slot::needs_derivatives | Slot::needs_crossings; // which are not saved
    }

    /// A saved state as bytes that another instance of the same model can read.
    std::size_t serialized_size() const;
    void serialize(const std::byte* saved, std::byte* bytes) const;
    /// Returns what is wrong with the bytes; empty: `saved` has been written.
    std::string deserialize(std::span<const std::byte> bytes, std::byte* saved);

    /// Why a get or set was refused.
    std::string explain(AccessResult result) const;

private:
    struct FreeBlock {
        void operator()(std::byte* block) const;
    };

    BlockHeader& header() { return *reinterpret_cast<BlockHeader*>(block_.get()); }
    const BlockHeader& header() const { return *reinterpret_cast<BlockHeader*>(block_.get()); }
    static double& at(std::byte* object, std::uint32_t offset) {
        return *reinterpret_cast<double*>(object + offset);
    }
    const double* input_derivatives() const {
        return reinterpret_cast<const double*>(block_.get() + type_.layout.input_derivatives);
    }

    template <class T>
    static constexpr bool holds(ValueType type);
    template <class T, class Stored>
    AccessResult get_as(ValueRef reference, Stored* values);
    template <class T, class Stored>
    AccessResult set_as(ValueRef reference, const Stored* values);
    /// For elements on their way; stays until the next call.
    template <class T>
    T* room_for(std::size_t count) {
        if (room_.size() < count * sizeof(T)) room_.resize(count * sizeof(T));
        return reinterpret_cast<T*>(room_.data());
    }
    std::uint64_t size_at(std::uint32_t offset) const; ///< a structural parameter
    AccessResult get_mixed_reals(std::span<const ValueRef> references, double* values);
    AccessResult set_mixed_reals(std::span<const ValueRef> references, const double* values);
    void refresh(std::uint8_t needs);
    void apply(std::uint8_t effects);
    void check_settings() const;
    void prepare_solver();
    unsigned inner_steps(double by) const {
        return header().inner_step == 0 ? 1 : counted_inner_steps(by);
    }
    unsigned counted_inner_steps(double by) const;
    void whole_step(double from, double by) {
        const BlockHeader& now = header();
        const bool is_plain = now.inner_step == 0 && !has_events_ && !moves() && by > 0 &&
                              by < std::numeric_limits<double>::infinity();
        if (!is_plain) [[unlikely]]
            advance(from, by);
        else if (now.solver == static_cast<std::int64_t>(Solver::euler)) [[likely]]
            euler(from, by);
        else
            plain_step(from, by);
    }
    /// One step of the solver, which inputs do not move in.
    void plain_step(double from, double by);
    bool is_ready_for_exact_steps() const;
    /// Returns the time reached.
    double limited_step(double from, double by);
    void step_to_event(double from, double by);
    void advance(double from, double by);
    void solve(double from, double by);
    void inner_step(double time, double h, double tau);
    void solve_through_events(double from, double by);
    bool run_to_crossing(double from, double& now, double limit);
    bool crosses(double from, double now, double by);
    double locate_crossing(double from, double now, double by);
    double next_event(double now) const;
    void handle_event();
    std::byte* previous() { return block_.get() + type_.layout.previous; }
    std::span<Ticker> tickers() const {
        return {reinterpret_cast<Ticker*>(block_.get() + type_.layout.tickers),
                type_.layout.clocks.size()};
    }
    Ticker& ticker_of(ValueRef clock);
    void start_tickers();
    void advance_ticker(ValueRef clock, Ticker& ticker);
    void set_due_clocks();
    void advance_tickers();
    void stop_clocks();
    void begin_instant();
    void evaluate_event();
    bool end_instant();
    bool moves() const { return header().moving || sets_inputs_; } ///< inputs, within a step
    void hold_inputs(double from);
    void move_inputs(double tau);
    void tell_reached(double from, double now);
    const double* sample_derivatives(double tau, double h);
    void evaluate(double time) { derivatives_(object_, time, derivative_object_); }
    void euler(double time, double h) {
        if (state_count_ == 0) return;
        evaluate(time);
        for (std::uint32_t i = 0; i < state_count_; ++i)
            at(object_, states_[i]) += h * at(derivative_object_, states_[i]);
    }
    void rk4(double time, double h, double tau);
    void exact(double h, double tau);

    const ModelType& type_;
    const Interface interface_;
    // What a step needs of the type, one indirection nearer.
    const Slot* slots_;
    const std::uint32_t slot_count_;
    const std::uint32_t state_count_;
    const std::uint32_t* states_; ///< offsets within an object
    void (*derivatives_)(const void*, double, void*);
    double (*longest_step_)(const void*, double);
    const bool has_events_;
    const bool limits_steps_; ///< a step may end before its end
    bool ticks_itself_;
    bool may_stop_early_ = true;
    StepListener* listener_ = nullptr; ///< null: nobody takes part
    bool sets_inputs_ = false;         ///< the listener does
    double held_at_ = 0;               ///< when inputs were held

    std::unique_ptr<std::byte, FreeBlock> block_; ///< BlockLayout
    std::byte* object_;                           ///< in the block, as is the next
    std::byte* derivative_object_;
    std::unique_ptr<double[]> scratch_;    ///< held inputs, then two vectors of states
    std::vector<double> sampled_;          ///< inputs, then two derivatives of each
    std::unique_ptr<std::byte[]> objects_; ///< two more objects, if the model has uses for them
    std::unique_ptr<double[]> crossings_;  ///< before and after a step
    std::unique_ptr<LinearSolver> linear_; ///< null unless the solver is `exact`
    std::vector<std::byte> room_ = std::vector<std::byte>(sizeof(double));
    std::uint64_t last_version_ = 1; ///< of all equations this instance has had
};

template <class T>
constexpr bool Instance::holds(ValueType type) {
    if constexpr (std::is_same_v<T, double>)
        return type == ValueType::float64;
    else if constexpr (std::is_same_v<T, float>)
        return type == ValueType::float32;
    else if constexpr (std::is_same_v<T, std::int8_t>)
        return type == ValueType::int8;
    else if constexpr (std::is_same_v<T, std::uint8_t>)
        return type == ValueType::uint8;
    else if constexpr (std::is_same_v<T, std::int16_t>)
        return type == ValueType::int16;
    else if constexpr (std::is_same_v<T, std::uint16_t>)
        return type == ValueType::uint16;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return type == ValueType::int32;
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return type == ValueType::uint32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return type == ValueType::int64 || type == ValueType::enumeration;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return type == ValueType::uint64;
    else
        return std::is_same_v<T, bool> && (type == ValueType::boolean || type == ValueType::clock);
}

template <class T>
AccessResult Instance::get(std::span<const ValueRef> references, T* values) {
    for (const ValueRef reference : references) {
        if (reference >= slot_count_) [[unlikely]]
            return {Access::unknown_reference, reference};
        const Slot& slot = slots_[reference];
        if (!holds<T>(slot.type)) [[unlikely]]
            return {Access::wrong_type, reference};
        if ((slot.needs & header().stale) != 0) refresh(slot.needs);
        const T* const variable = reinterpret_cast<const T*>(block_.get() + slot.offset);
        if (slot.is_array) [[unlikely]]
            values = std::copy_n(variable, element_count(reference), values);
        else
            *values++ = *variable;
    }
    return {};
}

template <class T>
AccessResult Instance::set(std::span<const ValueRef> references, const T* values) {
    AccessResult result;
    std::uint8_t effects = 0;
    const auto phase = static_cast<unsigned>(header().phase);
    for (const ValueRef reference : references) {
        if (reference >= slot_count_) [[unlikely]] {
            result = {Access::unknown_reference, reference};
            break;
        }
        const Slot& slot = slots_[reference];
        if (!holds<T>(slot.type)) [[unlikely]] {
            result = {Access::wrong_type, reference};
            break;
        }
        if (((slot.settable >> phase) & 1u) == 0) [[unlikely]] {
            result = {Access::not_settable, reference};
            break;
        }
        T* const variable = reinterpret_cast<T*>(block_.get() + slot.offset);
        if (slot.is_array) [[unlikely]] {
            const std::uint32_t count = element_count(reference);
            std::copy_n(values, count, variable);
            values += count;
            effects |= slot.effects;
            continue;
        }
        effects |= *variable != *values ? slot.effects : std::uint8_t{0};
        *variable = *values++;
    }
    if (effects != 0) apply(effects);
    return result;
}

inline void Instance::apply(std::uint8_t effects) {
    header().stale = Slot::needs_all;
    if ((effects & Slot::changes_equations) != 0) header().equations_version = ++last_version_;
    if ((effects & Slot::moves_input) != 0) update_moving();
}

} // namespace rubato::model
