// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>

namespace rubato::unit {

class Unit;

/// Which call of which unit a thread is making. What an FMU does in this process may end it without
/// a word: a signal handler reads this record to say who it was. So it is written before each call,
/// by plain stores.
struct CallUnderWay {
    std::atomic<const Unit*> unit{nullptr};        ///< null: no call of a unit is under way
    std::atomic<const std::string*> file{nullptr}; ///< the FMU whose library is being loaded
    std::atomic<const char*> call{nullptr};        ///< "step"
    /// Where the units stand; not a number: before initialization.
    std::atomic<double> time{std::numeric_limits<double>::quiet_NaN()};

    /// Of many calls of one kind, the kind is noted once and the unit before each.
    void note_kind(const char* kind) noexcept { call.store(kind, std::memory_order_relaxed); }
    void note_unit(const Unit* next) noexcept { unit.store(next, std::memory_order_relaxed); }
};
static_assert(std::atomic<const Unit*>::is_always_lock_free &&
                  std::atomic<double>::is_always_lock_free,
              "a signal handler reads them");

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): signal handlers get nothing
// else
[[gnu::tls_model("initial-exec")]] inline constinit thread_local CallUnderWay call_under_way;

inline void note_call(const Unit* unit, const char* call) noexcept {
    call_under_way.note_kind(call);
    call_under_way.note_unit(unit);
}
inline void note_no_call() noexcept { call_under_way.note_unit(nullptr); }
inline void note_time(double seconds) noexcept {
    call_under_way.time.store(seconds, std::memory_order_relaxed);
}

/// In a handler of `catch (...)`: passes an Error on. Any other exception that has come out of a
/// call of a unit becomes an Error that names the unit, the call and the time.
[[noreturn]] void rethrow_as_error();
/// The same where the unit could not be made.
[[noreturn]] void rethrow_as_error(const std::string& unit);

/// Does something with units. What they throw becomes an Error.
template <class Body>
void calling_units(Body&& body) {
    try {
        body();
        note_no_call();
    } catch (...) {
        rethrow_as_error();
    }
}

/// Frees units one by one, so that one that ends the process then can be named.
template <class Units>
void free_units(Units& units) {
    for (auto& unit : units) {
        note_call(unit.get(), "free");
        unit.reset();
    }
    note_no_call();
}

/// Lets others see what the thread that made it calls, as long as it lives, and gives that thread a
/// stack for signal handlers, so that even an overflow of its own stack can be reported.
class ThreadOfUnits {
public:
    ThreadOfUnits();
    ~ThreadOfUnits();
    ThreadOfUnits(const ThreadOfUnits&) = delete;
    ThreadOfUnits& operator=(const ThreadOfUnits&) = delete;

private:
    std::unique_ptr<std::byte[]> stack_;
};

constexpr std::size_t most_threads_of_units = 64;
/// The records of all such threads; null: an entry that is not used. More threads are not seen.
const std::array<std::atomic<const CallUnderWay*>, most_threads_of_units>& calls_under_way();

} // namespace rubato::unit
