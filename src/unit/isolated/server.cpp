// SPDX-License-Identifier: Apache-2.0
#include "server.hpp"

#include "isolated_unit.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/forked_copy.hpp>
#include <rubato/private/format.hpp>

#include <unistd.h>

#include <cstdlib>
#include <new>
#include <stdexcept>
#include <utility>

namespace rubato::unit {

namespace {

/// Takes every ability by name: one more does not compile before it is here.
RemoteAbilities remote(const Abilities& of_unit) {
    const auto& [snapshots, serialized_states, input_derivatives, event_mode, intermediate_outputs,
                 directional_derivatives, solver_statistics, direct_calls] = of_unit;
    (void)serialized_states; // nobody needs those of other processes
    (void)direct_calls;      // there are none from another process
    return {
        .snapshots = snapshots != nullptr,
        .input_derivatives = input_derivatives != nullptr,
        .solver_statistics = solver_statistics != nullptr,
        .event_mode = event_mode != nullptr,
        .intermediate_outputs = intermediate_outputs != nullptr,
        .provides_events =
            intermediate_outputs != nullptr && intermediate_outputs->provides_events(),
        .directional_derivatives = directional_derivatives != nullptr,
        .max_order = input_derivatives != nullptr ? input_derivatives->max_order() : 0,
    };
}

} // namespace

const Server::Handler Server::handlers[remote_call_count] = {
    &Server::instantiate,
    &Server::enter_initialization,
    &Server::exit_initialization,
    &Server::set,
    &Server::get,
    &Server::set_input_derivatives,
    &Server::directional_derivative,
    &Server::step,
    &Server::save,
    &Server::restore,
    &Server::release,
    &Server::enter_event_mode,
    &Server::update,
    &Server::get_intervals,
    &Server::get_shifts,
    &Server::leave_event_mode,
    &Server::sample,
    &Server::sample_events,
    &Server::terminate,
    &Server::free,
};

Server::Server(Channel channel)
    : channel_(std::move(channel)), control_(channel_.control()), response_(channel_.responses),
      log_(control_.log, control_.responses) {}

void Server::run() {
    ForkedCopy::detect();
    for (std::uint32_t seen = 0; !is_freed_; ++seen) {
        while (!waiter_.wait(control_.requests, seen)) {
        }
        answer();
    }
}

void Server::answer() {
    if (!channel_.requests.follow(control_.request_size)) std::abort(); // ours is the other side
    Reader calls({channel_.requests.data(), control_.request_size});
    const std::uint32_t count = control_.calls;
    response_.clear();
    control_.fault = RemoteFault::none;
    std::uint32_t completed = 0;
    while (completed < count && make_call(calls)) {
        ++completed;
        if (falls_short_) break;
    }
    respond(completed);
}

void Server::respond(std::uint32_t completed) {
    if (ForkedCopy::is_this()) ::_exit(0); // the process that called fork() responds
    control_.completed = completed;
    control_.response_size = response_.size();
    if (unit_)
        if (const SolverStatistics* statistics = unit_->solver_statistics())
            control_.statistics = *statistics;
    raise(control_.responses);
}

/// False: it has failed.
bool Server::make_call(Reader& arguments) {
    const auto call = arguments.take<RemoteCall>();
    control_.under_way.store(call, std::memory_order_relaxed);
    falls_short_ = false;
    result_at_ = response_.size();
    try {
        (this->*handlers[static_cast<std::size_t>(call)])(arguments);
        return true;
    } catch (const InputError& fault) {
        note_fault(RemoteFault::input_error, fault.what());
    } catch (const Error& fault) {
        note_fault(RemoteFault::error, fault.what());
    } catch (const std::logic_error& fault) {
        // Unit::refuse takes the note back: what is thrown without that is the FMU's.
        const bool in_call = call_under_way.unit.load(std::memory_order_relaxed) != nullptr;
        note_fault(in_call ? RemoteFault::exception : RemoteFault::bug, fault.what());
    } catch (const std::exception& fault) {
        note_fault(RemoteFault::exception, fault.what());
    } catch (...) {
        note_fault(RemoteFault::exception, "of a type of its own");
    }
    return false;
}

void Server::note_fault(RemoteFault kind, std::string_view text) {
    response_.shrink(result_at_);
    control_.fault = kind;
    control_.fault_at = result_at_;
    response_.put_text(text);
}

/// What the description gives cause to say, the other side has said: it has read it, too.
void Server::instantiate(Reader& arguments) {
    const IsolatedOrigin origin = take_origin(arguments);
    scenario::Unit unit;
    unit.name = origin.name;
    unit.origin = scenario::FmuFile{origin.fmu};
    unit.type = origin.type;
    unit.solver = origin.solver;
    unit.logging = origin.logging;
    library_.emplace(log_, origin.limits, origin.strictness);
    log_.turn(false);
    library_->describe(unit, {});
    log_.turn(true);
    unit_ = library_->instantiate(unit, {});
    response_.put(remote(unit_->abilities()));
}

void Server::enter_initialization(Reader& arguments) {
    unit_->enter_initialization(arguments.take<Horizon>());
}

void Server::exit_initialization(Reader&) { unit_->exit_initialization(); }

void Server::set(Reader& arguments) {
    const Bulk variables = take_variables(arguments);
    unit_->set(with_values(arguments, variables, texts_));
}

void Server::get(Reader& arguments) {
    const Bulk values = with_room(response_, take_variables(arguments), texts_);
    unit_->get(values);
    finish_values(response_, values);
}

void Server::set_input_derivatives(Reader& arguments) {
    const auto order = arguments.take<unsigned>();
    const auto inputs = arguments.take_span<ValueRef>(arguments.take<std::size_t>());
    unit_->input_derivatives()->set(inputs, order, arguments.take_span<double>(inputs.size()));
}

void Server::directional_derivative(Reader& arguments) {
    const auto unknowns = arguments.take_span<ValueRef>(arguments.take<std::size_t>());
    const auto knowns = arguments.take_span<ValueRef>(arguments.take<std::size_t>());
    const auto seed = arguments.take_span<double>(knowns.size());
    sensitivity_.assign(unknowns.size(), 0);
    response_.put(unit_->directional_derivatives()->directional_derivative(unknowns, knowns, seed,
                                                                           sensitivity_));
    response_.put_span(std::span<const double>(sensitivity_));
}

void Server::step(Reader& arguments) {
    const auto from = arguments.take<Time>();
    const auto by = arguments.take<Duration>();
    const StepResult result = unit_->step(from, by);
    falls_short_ = result.end != StepEnd::completed;
    response_.put(result);
    if (samples_steps_) put_samples();
}

void Server::put_samples() {
    const InnerSamples& samples = unit_->intermediate_outputs()->samples();
    response_.put(samples.count());
    for (std::size_t i = 0; i < samples.count(); ++i) {
        response_.put(samples.time(i));
        response_.put_span(samples.values(i));
        response_.put_span(samples.other_values(i));
    }
}

void Server::save(Reader& arguments) { unit_->snapshots()->save(arguments.take<std::uint32_t>()); }

void Server::restore(Reader& arguments) {
    unit_->snapshots()->restore(arguments.take<std::uint32_t>());
}

void Server::release(Reader& arguments) {
    unit_->snapshots()->release(arguments.take<std::uint32_t>());
}

void Server::enter_event_mode(Reader&) { unit_->event_mode()->enter(); }

void Server::update(Reader&) { response_.put(unit_->event_mode()->update()); }

void Server::get_intervals(Reader& arguments) {
    const auto clocks = arguments.take_span<ValueRef>(arguments.take<std::size_t>());
    std::vector<ClockInterval> intervals(clocks.size());
    unit_->event_mode()->get_intervals(clocks, intervals);
    response_.put_span(std::span<const ClockInterval>(intervals));
}

void Server::get_shifts(Reader& arguments) {
    const auto clocks = arguments.take_span<ValueRef>(arguments.take<std::size_t>());
    std::vector<Duration> shifts(clocks.size());
    unit_->event_mode()->get_shifts(clocks, shifts);
    response_.put_span(std::span<const Duration>(shifts));
}

void Server::leave_event_mode(Reader&) { unit_->event_mode()->leave(); }

void Server::sample(Reader& arguments) {
    const auto most = arguments.take<std::size_t>();
    const auto outputs = arguments.take_span<ValueRef>(arguments.take<std::size_t>());
    unit_->intermediate_outputs()->sample(outputs, most);
    samples_steps_ = unit_->intermediate_outputs()->samples().is_sampling();
}

void Server::sample_events(Reader& arguments) {
    const auto events = arguments.take<std::size_t>();
    const auto others = arguments.take_span<SampledOutput>(arguments.take<std::size_t>());
    unit_->intermediate_outputs()->sample_events(others, events);
    samples_steps_ = unit_->intermediate_outputs()->samples().is_sampling();
}

void Server::terminate(Reader&) { unit_->terminate(); }

void Server::free(Reader&) {
    unit_.reset();
    library_.reset();
    is_freed_ = true;
}

} // namespace rubato::unit
