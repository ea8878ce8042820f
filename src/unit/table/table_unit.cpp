// SPDX-License-Identifier: Apache-2.0
#include "table_unit.hpp"

#include <rubato/core/bytes.hpp>
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

/// A table with jumps may have an event mode: a step that ends at a jump gives the values before
/// it, an update those after.
class TableUnit final : public Unit,
                        private Snapshots,
                        private SerializedStates,
                        private EventMode {
public:
    TableUnit(std::string name, const Table& table, JumpMode jumps, Log& log)
        : Unit(std::move(name), table.description()), table_(table), log_(log),
          has_events_(jumps == JumpMode::events && table.next_jump(table.first_time())) {}

    Abilities abilities() noexcept override {
        Abilities all = Abilities::none();
        all.snapshots = this;
        all.serialized_states = this;
        if (has_events_) all.event_mode = this;
        return all;
    }

private:
    struct Place {
        Time now;
        double slack = 0;    ///< within which a time is now
        std::size_t row = 0; ///< that holds
    };

    void save(std::uint32_t slot) override {
        require(Call::save);
        if (slot >= saved_.size()) saved_.resize(slot + 1);
        saved_[slot] = place_;
        note_saved(slot);
    }
    void restore(std::uint32_t slot) override {
        require(Call::restore);
        place_ = saved_.at(slot);
        note_restored(slot);
    }

    void serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override {
        ByteWriter writer(bytes);
        writer.put(saved_phase(slot));
        writer.put(saved_.at(slot));
    }
    void deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override {
        ByteReader reader(bytes);
        const auto phase = reader.take<Phase>();
        const auto place = reader.take<Place>();
        reader.require_end();
        if (place.row >= table_.row_count()) ByteReader::fail();
        if (slot >= saved_.size()) saved_.resize(slot + std::size_t{1});
        saved_[slot] = place;
        note_saved(slot, phase);
    }

    void enter() override {
        require(Call::enter_event_mode);
        note_event_mode(true);
    }
    EventUpdate update() override {
        require(Call::update);
        place_.row = table_.row_at(place_.now.seconds, place_.slack);
        EventUpdate update;
        const double later = std::nextafter(place_.now.seconds + place_.slack, HUGE_VAL);
        if (const auto next = table_.next_jump(later)) update.next_event = Time{*next};
        return update;
    }
    void leave() override {
        require(Call::leave_event_mode);
        note_event_mode(false);
    }
    void get_intervals(std::span<const ValueRef>, std::span<ClockInterval>) override {}
    void get_shifts(std::span<const ValueRef>, std::span<Duration>) override {}

    void do_enter_initialization(const Horizon& horizon) override {
        start_ = horizon.start;
        const double slack = rounding_of(start_.seconds, start_.seconds);
        place_ = {start_, slack, table_.row_at(start_.seconds, slack)};
        tell_if_exceeded(horizon);
    }
    void do_exit_initialization() override {}
    void do_terminate() override {}

    StepResult do_step(Time from, Duration by) override {
        constexpr double part_of_step = 1e-8; // which no step is shortened by
        const Time to = from + by;
        const double slack = rounding_of(to.seconds, start_.seconds);
        place_ = {to, slack, table_.row_at(to.seconds, slack)};
        if (!has_events_) return {to, StepEnd::completed};
        place_.slack = std::max(slack, part_of_step * by.seconds);
        const auto jump = table_.next_jump(to.seconds - place_.slack);
        if (jump && *jump <= to.seconds + place_.slack)
            place_.row = table_.row_before(to.seconds, place_.slack);
        return {to, StepEnd::completed};
    }

    void do_set(const Bulk& values) override {
        if (values.count != 0) fail("set", "a table takes no values");
    }

    void do_get(const Bulk& values) override {
        switch (storage_of(values.type)) {
        case Storage::real:
            return fill(values, values.reals(),
                        [&](ValueRef r) { return table_.real(r, place_.row, place_.now.seconds); });
        case Storage::integer:
            return fill(values, values.integers(),
                        [&](ValueRef r) { return table_.integer(r, place_.row); });
        case Storage::boolean:
            return fill(values, values.booleans(),
                        [&](ValueRef r) { return table_.boolean(r, place_.row); });
        case Storage::string:
            return fill(values, values.strings(), [&](ValueRef r) -> const std::string& {
                return table_.text(r, place_.row);
            });
        }
    }

    template <class T, class Read>
    static void fill(const Bulk& values, std::span<T> out, Read read) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = read(values.references[i]);
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
    const bool has_events_;
    Time start_;
    Place place_;
    std::vector<Place> saved_; ///< by slot
};

} // namespace

std::unique_ptr<Unit> make_table_unit(std::string name, const Table& table, JumpMode jumps,
                                      Log& log) {
    return std::make_unique<TableUnit>(std::move(name), table, jumps, log);
}

} // namespace rubato::unit
