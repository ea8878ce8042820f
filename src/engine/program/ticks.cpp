// SPDX-License-Identifier: Apache-2.0
#include "ticks.hpp"

#include "runs.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/private/format.hpp>

#include <map>
#include <optional>

namespace rubato::engine {

namespace {

class Ticks {
public:
    explicit Ticks(const scenario::System& system) : system_(system) {}

    void add(const Body& body) {
        for (const Op& op : body) {
            algorithm::for_each_body(op, [&](const Body& inner) { add(inner); });
            if (const auto* step = std::get_if<algorithm::Step>(&op)) add(*step);
        }
    }

    double fraction() const {
        return static_cast<double>(common_.value_or(system_.largest_step)) / system_.largest_step;
    }

private:
    void add(const algorithm::Step& step) {
        const auto other = step.same_as ? by_.find(*step.same_as) : by_.end();
        const int by = other != by_.end() ? other->second : step.by.value_or(system_.largest_step);
        by_[step.unit] = by;
        if (common_ && *common_ != by) {
            throw InputError(format("unit \"{}\" is stepped by {} of {} ticks, others by {}",
                                    system_.unit(step.unit).name, by, system_.largest_step,
                                    *common_),
                             "step all units equally far");
        }
        common_ = by;
    }

    const scenario::System& system_;
    std::map<UnitId, int> by_;
    std::optional<int> common_;
};

} // namespace

double fraction_of_step(const Body& body, const scenario::System& system) {
    Ticks ticks(system);
    ticks.add(body);
    return ticks.fraction();
}

} // namespace rubato::engine
