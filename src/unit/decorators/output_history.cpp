// SPDX-License-Identifier: Apache-2.0
#include "output_history.hpp"

#include <algorithm>
#include <utility>

namespace rubato::unit {

OutputHistory::OutputHistory(const scenario::UnitDescription& unit,
                             const std::vector<MovingVariable>& outputs) {
    for (const MovingVariable& each : outputs) {
        const scenario::Variable& variable = unit.variables[each.variable];
        outputs_.push_back({variable.type, variable.reference, each.order});
    }
    for (auto& values : samples_.values) values.resize(outputs_.size());
}

void OutputHistory::sample(Unit& inner, Time now, Duration least) {
    if (outputs_.empty()) return;
    if (samples_.count == 0 || now - samples_.times[0] > least) {
        auto& [times, values, count] = samples_;
        std::rotate(times.begin(), times.end() - 1, times.end());
        std::rotate(values.begin(), values.end() - 1, values.end());
        count = std::min<std::uint32_t>(count + 1, 3);
    }
    samples_.times[0] = now;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
        inner.get({outputs_[i].type, {&outputs_[i].reference, 1}, &samples_.values[0][i], 1});
}

/// Newton's form of the polynomial through the last points.
double OutputHistory::value_at(std::size_t output, Time now) const {
    const auto& [times, values, count] = samples_;
    const double y0 = values[0][output];
    const unsigned order = std::min(outputs_[output].order, count - 1);
    if (order == 0) return y0;
    const double first = (y0 - values[1][output]) / (times[0] - times[1]).seconds;
    const double tau = (now - times[0]).seconds;
    if (order == 1) return y0 + tau * first;
    const double before = (values[1][output] - values[2][output]) / (times[1] - times[2]).seconds;
    const double second = (first - before) / (times[0] - times[2]).seconds;
    return y0 + tau * (first + (now - times[1]).seconds * second);
}

void OutputHistory::extrapolate(const Bulk& values, Time now) const {
    if (outputs_.empty() || samples_.count < 2 || storage_of(values.type) != Storage::real ||
        !values.parts.empty())
        return;
    const std::span<double> read = values.reals();
    for (std::size_t i = 0; i < values.references.size(); ++i) {
        const auto output = std::ranges::find(outputs_, values.references[i], &Output::reference);
        if (output != outputs_.end() && output->type == values.type)
            read[i] = value_at(static_cast<std::size_t>(output - outputs_.begin()), now);
    }
}

void OutputHistory::write(const Samples& samples, ByteWriter& writer) {
    writer.put(samples.times);
    writer.put(samples.count);
    for (const auto& values : samples.values) writer.put_all(std::span<const double>(values));
}

OutputHistory::Samples OutputHistory::read(ByteReader& reader) const {
    Samples samples;
    samples.times = reader.take<std::array<Time, 3>>();
    samples.count = reader.take<std::uint32_t>();
    if (samples.count > samples.times.size()) ByteReader::fail();
    for (auto& values : samples.values) {
        values = reader.take_all<double>();
        if (values.size() != outputs_.size()) ByteReader::fail();
    }
    return samples;
}

} // namespace rubato::unit
