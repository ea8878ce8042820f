// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/errors.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>
#include <rubato/unit/call_under_way.hpp>
#include <rubato/unit/unit.hpp>

#include <cmath>
#include <csignal>
#include <exception>

namespace rubato::unit {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10; // a crash may be told by MPI

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): read by signal handlers
constinit std::array<std::atomic<const CallUnderWay*>, most_threads_of_units> threads{};

/// Of the exception that is being handled.
std::string text_of_exception() {
    try {
        throw;
    } catch (const std::exception& fault) {
        return fault.what();
    } catch (...) {
        return "of a type of its own";
    }
}

[[noreturn]] void rethrow(const std::string& unit, const char* call) {
    note_no_call();
    const double time = call_under_way.time.load(std::memory_order_relaxed);
    const std::string when =
        std::isnan(time) ? "before initialization" : format("at t = {} s", shortest(time));
    try {
        throw;
    } catch (const Error&) {
        throw;
    } catch (...) {
        throw UnitError(format("unit \"{}\" failed in {} {}: it threw an exception: {}", unit, call,
                               when, text_of_exception()),
                        "no exception may leave an FMU; ask those who made it", unit,
                        std::isnan(time) ? std::nullopt : std::optional(time));
    }
}

} // namespace

void rethrow_as_error() {
    const Unit* const unit = call_under_way.unit.load(std::memory_order_relaxed);
    if (unit == nullptr) throw;
    rethrow(unit->name(), call_under_way.call.load(std::memory_order_relaxed));
}

void rethrow_as_error(const std::string& unit) { rethrow(unit, "instantiate"); }

ThreadOfUnits::ThreadOfUnits() : stack_(std::make_unique_for_overwrite<std::byte[]>(stack_bytes)) {
    stack_t stack{};
    stack.ss_sp = stack_.get();
    stack.ss_size = stack_bytes;
    ::sigaltstack(&stack, nullptr);
    for (auto& entry : threads) {
        const CallUnderWay* unused = nullptr;
        if (entry.compare_exchange_strong(unused, &call_under_way)) return;
    }
}

ThreadOfUnits::~ThreadOfUnits() {
    for (auto& entry : threads) {
        const CallUnderWay* own = &call_under_way;
        if (entry.compare_exchange_strong(own, nullptr)) break;
    }
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
}

const std::array<std::atomic<const CallUnderWay*>, most_threads_of_units>& calls_under_way() {
    return threads;
}

} // namespace rubato::unit
