// SPDX-License-Identifier: Apache-2.0
#include "table_unit.hpp"

#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace rubato::unit {

namespace {

/// Communication points are `start + n·step`, rounded: they meet a row that stands at the same time
/// in decimal digits only up to a few units in the last place.
double rounding_of(double time, double start) {
    return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(time), std::abs(start));
}

class TableUnit final : public Unit, private Snapshots {
public:
    TableUnit(std::string name, const Table& table, Log& log)
        : Unit(std::move(name), table.description()), table_(table), log_(log) {}

    Snapshots* snapshots() noexcept override { return this; }

private:
    void save(std::uint32_t slot) override {
        require(Call::save);
        if (slot >= saved_.size()) saved_.resize(slot + 1);
        saved_[slot] = now_;
    }
    void restore(std::uint32_t slot) override {
        require(Call::restore);
        move_to(saved_.at(slot));
        recover();
    }

    void do_enter_initialization(const Horizon& horizon) override {
        start_ = horizon.start;
        move_to(horizon.start);
        tell_if_exceeded(horizon);
    }
    void do_exit_initialization() override {}
    void do_terminate() override {}

    StepResult do_step(Time from, Duration by) override {
        move_to(from + by);
        return {now_, StepEnd::completed};
    }

    void do_set(const Bulk& values) override {
        if (values.count != 0) fail("set", "a table takes no values");
    }

    void do_get(const Bulk& values) override {
        switch (storage_of(values.type)) {
        case Storage::real:
            return fill(values, values.reals(),
                        [&](ValueRef r) { return table_.real(r, row_, now_.seconds); });
        case Storage::integer:
            return fill(values, values.integers(),
                        [&](ValueRef r) { return table_.integer(r, row_); });
        case Storage::boolean:
            return fill(values, values.booleans(),
                        [&](ValueRef r) { return table_.boolean(r, row_); });
        case Storage::string:
            return fill(values, values.strings(),
                        [&](ValueRef r) -> const std::string& { return table_.text(r, row_); });
        }
    }

    template <class T, class Read>
    static void fill(const Bulk& values, std::span<T> out, Read read) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = read(values.references[i]);
    }

    void move_to(Time time) {
        now_ = time;
        row_ = table_.row_at(time.seconds, rounding_of(time.seconds, start_.seconds));
    }

    void tell_if_exceeded(const Horizon& horizon) {
        if (table_.row_count() == 1) return; // constants
        const auto slack = [&](Time time) { return rounding_of(time.seconds, start_.seconds); };
        const bool before = horizon.start.seconds + slack(horizon.start) < table_.first_time();
        const bool after =
            horizon.stop && horizon.stop->seconds - slack(*horizon.stop) > table_.last_time();
        if (!before && !after) return;
        log_.write(LogLevel::warning, name(),
                   format("{} goes from {} to {} s: its {} held beyond",
                          table_.description().source, shortest(table_.first_time()),
                          shortest(table_.last_time()),
                          before && after ? "first and last values are"
                          : before        ? "first values are"
                                          : "last values are"));
    }

    const Table& table_;
    Log& log_;
    Time start_, now_;
    std::size_t row_ = 0;
    std::vector<Time> saved_; ///< by slot
};

} // namespace

std::unique_ptr<Unit> make_table_unit(std::string name, const Table& table, Log& log) {
    return std::make_unique<TableUnit>(std::move(name), table, log);
}

} // namespace rubato::unit
