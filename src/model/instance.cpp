// SPDX-License-Identifier: Apache-2.0
#include "linear_solver.hpp"

#include <rubato/model/instance.hpp>

#include <cmath>
#include <new>
#include <stdexcept>

namespace rubato::model {

namespace {
constexpr std::align_val_t block_alignment{64}; // a cache line
}

void Instance::FreeBlock::operator()(std::byte* block) const {
    ::operator delete(block, block_alignment);
}

Instance::Instance(const ModelType& type, Interface interface)
    : type_(type), interface_(interface), slots_(type.slots.data()),
      slot_count_(static_cast<std::uint32_t>(type.slots.size())),
      state_count_(static_cast<std::uint32_t>(type.layout.states.size())),
      states_(type.layout.states.data()), derivatives_(type.derivatives),
      longest_step_(type.longest_step), has_events_(type.event != nullptr),
      limits_steps_(type.longest_step != nullptr || interface == Interface::hybrid),
      ticks_itself_(interface == Interface::co_simulation),
      block_(static_cast<std::byte*>(::operator new(type.layout.size, block_alignment))),
      object_(block_.get() + type.layout.object),
      derivative_object_(block_.get() + type.layout.derivative_object),
      scratch_(std::make_unique<double[]>(type.layout.continuous_inputs.size() +
                                          2 * type.layout.states.size())),
      sampled_(3 * type.layout.continuous_inputs.size()),
      objects_(has_events_ || type.variations != nullptr
                   ? std::make_unique<std::byte[]>(2 * std::size_t{type.size})
                   : nullptr),
      crossings_(std::make_unique<double[]>(2 * std::size_t{type.crossing_count})) {
    reset();
}

Instance::~Instance() = default;

void Instance::reset() {
    std::memset(block_.get(), 0, type_.layout.size);
    BlockHeader& header = *new (block_.get()) BlockHeader();
    header.solver = static_cast<std::int64_t>(type_.solver);
    header.inner_step = type_.inner_step;
    header.equations_version = ++last_version_;
    header.stale = Slot::needs_all;
    type_.construct(object_);
    type_.construct(derivative_object_);
}

void Instance::enter_initialization(double start) {
    require_sizes();
    header().time = start;
    header().stale = Slot::needs_all;
    header().phase = Phase::initializing;
}

void Instance::exit_initialization() {
    if (ticks_itself_) start_tickers();
    if (interface_ == Interface::model_exchange) {
        enter_event_mode();
        return;
    }
    check_settings();
    if (interface_ == Interface::co_simulation && has_events_) handle_event();
    prepare_solver();
    if (interface_ == Interface::hybrid)
        enter_event_mode();
    else
        header().phase = Phase::stepping;
}

void Instance::check_settings() const {
    if (header().solver < 1 || header().solver > 3)
        throw std::runtime_error("solver = " + std::to_string(header().solver) +
                                 " is none of 1 (euler), 2 (rk4), 3 (exact)");
    if (!(header().inner_step >= 0) || std::isinf(header().inner_step))
        throw std::runtime_error("inner_step = " + std::to_string(header().inner_step) +
                                 " s is not a length of time; 0 means the whole step");
}

void Instance::prepare_solver() {
    if (static_cast<Solver>(header().solver) != Solver::exact || type_.layout.states.empty())
        return;
    if (linear_ == nullptr) linear_ = std::make_unique<LinearSolver>(type_);
    linear_->prepare(object_, header().time, header().equations_version);
}

void Instance::refresh(std::uint8_t needs) {
    const auto missing = static_cast<std::uint8_t>(needs & header().stale);
    if ((missing & Slot::needs_event) != 0 && header().phase == Phase::event_mode && !ticks_itself_)
        evaluate_event();
    if ((missing & Slot::needs_outputs) != 0) type_.outputs(object_, header().time);
    if ((missing & Slot::needs_derivatives) != 0) evaluate(header().time);
    if ((missing & Slot::needs_crossings) != 0)
        type_.crossings(object_, header().time,
                        reinterpret_cast<double*>(block_.get() + type_.layout.crossings));
    header().stale = static_cast<std::uint8_t>(header().stale & ~missing);
}

AccessResult Instance::set_input_derivative(ValueRef input, int order, double value) {
    if (input >= slot_count_) return {Access::unknown_reference, input};
    const Slot& slot = slots_[input];
    if (slot.input_derivatives == 0) return {Access::wrong_type, input};
    if (((slot.settable >> static_cast<unsigned>(header().phase)) & 1u) == 0)
        return {Access::not_settable, input};
    if (order < 1 || order > 2) return {Access::out_of_range, input};
    reinterpret_cast<double*>(block_.get() + slot.input_derivatives)[order - 1] = value;
    return {};
}

void Instance::update_moving() {
    const double* derivative = input_derivatives();
    const double* const end = derivative + 2 * type_.layout.continuous_inputs.size();
    bool moving = false;
    for (; derivative != end; ++derivative) moving = moving || *derivative != 0;
    header().moving = moving;
}

namespace {
constexpr char serial_mark[8] = {'r', 'u', 'b', 'a', 't', 'o', '-', '1'};
constexpr std::size_t identifier_size = 38;
constexpr std::size_t serial_head = sizeof serial_mark + identifier_size;
} // namespace

std::size_t Instance::serialized_size() const { return serial_head + saved_size(); }

void Instance::serialize(const std::byte* saved, std::byte* bytes) const {
    std::memcpy(bytes, serial_mark, sizeof serial_mark);
    std::memcpy(bytes + sizeof serial_mark, type_.identifier.data(), identifier_size);
    std::memcpy(bytes + serial_head, saved, saved_size());
}

std::string Instance::deserialize(std::span<const std::byte> bytes, std::byte* saved) {
    if (bytes.size() != serialized_size())
        return "a state of this model takes " + std::to_string(serialized_size()) + " bytes, not " +
               std::to_string(bytes.size());
    if (std::memcmp(bytes.data(), serial_mark, sizeof serial_mark) != 0)
        return "these are not the bytes of a saved state";
    if (std::memcmp(bytes.data() + sizeof serial_mark, type_.identifier.data(), identifier_size) !=
        0)
        return "the state was saved by another model than \"" + type_.name + "\" " +
               type_.identifier;
    BlockHeader header;
    std::memcpy(&header, bytes.data() + serial_head, sizeof header);
    const bool steps = header.phase == Phase::stepping;
    const bool handles_events = header.phase == Phase::event_mode;
    const bool exchanges = header.phase == Phase::continuous_time;
    if (header.phase > Phase::continuous_time ||
        (steps && (header.solver < 1 || header.solver > 3)))
        return "the bytes of the saved state are damaged";
    if (interface_ == Interface::model_exchange  ? steps
        : interface_ == Interface::co_simulation ? exchanges || handles_events
                                                 : exchanges)
        return "the state was saved by an instance for the other interface";
    // Versions count within one instance: whatever equations these are, it has not prepared them.
    header.equations_version = ++last_version_;
    std::memcpy(saved, bytes.data() + serial_head, saved_size());
    std::memcpy(saved, &header, sizeof header);
    return {};
}

} // namespace rubato::model
