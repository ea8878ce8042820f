// SPDX-License-Identifier: Apache-2.0
#include <rubato/algorithm/text.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <utility>

namespace rubato::algorithm {

namespace {

/// Writes operations line by line; neighbours of one kind share a line.
class TextWriter {
public:
    explicit TextWriter(const scenario::System& system) : system_(system) {}

    void heading(std::string_view text) {
        end_line();
        line(text);
    }

    void body(const Body& ops, int depth) {
        const int outer = std::exchange(depth_, depth);
        for (const Op& op : ops) {
            std::visit([&](const auto& alternative) { write(alternative); }, op);
        }
        end_line();
        depth_ = outer;
    }

    std::string take() {
        end_line();
        return std::move(text_);
    }

private:
    void write(const Get& get) {
        const bool is_clock = system_.port(get.port).is_clock();
        item(is_clock ? "get clock" : get.tentative ? "get tentative" : "get", port(get.port));
    }
    void write(const Set& set) {
        const bool is_clock = system_.port(set.port).is_clock();
        item(is_clock ? "set clock" : set.tentative ? "set tentative" : "set", port(set.port));
    }
    void write(const Update& update) { item("update", unit(update.unit)); }
    void write(const Save& save) { item("save", unit(save.unit)); }
    void write(const Restore& restore) { item("restore", unit(restore.unit)); }
    void write(const Step& step) {
        std::string object = unit(step.unit);
        if (step.by) object += format(" by {}", *step.by);
        if (step.same_as) object += format(" as far as {}", unit(*step.same_as));
        item("step", object);
    }

    void write(const FixedPoint& loop) {
        heading(format("{}:", condition(loop)));
        body(loop.iterate, depth_ + 1);
        retry(loop.retry);
    }

    void write(const Negotiate& loop) {
        heading(format(fmt::runtime(loop.units.size() == 1
                                        ? "repeat with a smaller step until {} accepts it:"
                                        : "repeat with a smaller step until {} accept the same:"),
                       units(loop.units)));
        body(loop.iterate, depth_ + 1);
        retry(loop.retry);
    }

    void write(const Parallel& section) {
        heading("at the same time:");
        for (const Body& branch : section.bodies) {
            ++depth_;
            heading("-");
            body(branch, depth_ + 1);
            --depth_;
        }
    }

    void retry(const Body& ops) {
        if (ops.empty()) return;
        heading("before each repetition:");
        body(ops, depth_ + 1);
    }

    std::string condition(const FixedPoint& loop) const {
        if (loop.until.iterations) return format("repeat {} times", *loop.until.iterations);
        std::string names;
        for (const PortId id : loop.ports) names += (names.empty() ? "" : ", ") + port(id);
        return format(
            "repeat until {} change by at most {} + {}·|value| (at most {} times, then {})", names,
            shortest(loop.until.absolute_tolerance), shortest(loop.until.relative_tolerance),
            loop.until.limit, loop.until.accept_at_limit ? "accept with a warning" : "stop");
    }

    std::string port(PortId id) const { return system_.name_of(id); }
    const std::string& unit(UnitId id) const { return system_.unit(id).name; }
    std::string units(const std::vector<UnitId>& ids) const {
        std::string names;
        for (const UnitId id : ids) names += (names.empty() ? "" : ", ") + unit(id);
        return names;
    }

    void item(std::string_view verb, const std::string& object) {
        if (verb != verb_) {
            end_line();
            verb_ = verb;
            pending_ = format("{} {}", verb, object);
        } else {
            pending_ += ", " + object;
        }
    }

    void end_line() {
        if (!pending_.empty()) line(pending_);
        pending_.clear();
        verb_ = {};
    }

    void line(std::string_view text) {
        text_.append(static_cast<std::size_t>(depth_) * 2, ' ').append(text).append("\n");
    }

    const scenario::System& system_;
    std::string text_;
    std::string pending_;
    std::string_view verb_;
    int depth_ = 0;
};

} // namespace

std::string to_text(const Algorithm& algorithm, const scenario::System& system) {
    TextWriter writer(system);
    writer.heading("initialize:");
    writer.body(algorithm.initialization, 1);
    for (const Procedure& procedure : algorithm.steps) {
        const bool only_one = algorithm.steps.size() == 1;
        writer.heading(only_one ? "each step:" : format("each step in {}:", procedure.name));
        writer.body(procedure.body, 1);
    }
    for (const Procedure& procedure : algorithm.events) {
        const bool only_one = algorithm.events.size() == 1;
        writer.heading(only_one ? "at events, each instant:"
                                : format("at events in {}, each instant:", procedure.name));
        writer.body(procedure.body, 1);
    }
    return writer.take();
}

} // namespace rubato::algorithm
