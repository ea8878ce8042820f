// SPDX-License-Identifier: Apache-2.0
#include "finite_check.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/core/text.hpp>
#include <rubato/private/format.hpp>

#include <cmath>

namespace rubato::engine {

FiniteCheck::FiniteCheck(std::span<const Column> columns) : columns_(columns) {
    for (std::uint32_t i = 0; i < columns.size(); ++i) {
        if (storage_of(columns[i].type) != Storage::real) continue;
        values_.push_back(static_cast<const double*>(columns[i].value));
        indices_.push_back(i);
    }
}

const double* FiniteCheck::value_of(std::uint32_t column) const {
    const bool is_real =
        column < columns_.size() && storage_of(columns_[column].type) == Storage::real;
    if (!is_real) ByteReader::fail();
    return static_cast<const double*>(columns_[column].value);
}

void FiniteCheck::note(Time now, bool is_error, Summary& summary, Log& log) {
    for (std::size_t i = values_.size(); i-- > 0;) {
        const double value = *values_[i];
        if (std::isfinite(value)) continue;
        const std::string& name = columns_[indices_[i]].name;
        values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(i));
        indices_.erase(indices_.begin() + static_cast<std::ptrdiff_t>(i));
        summary.not_finite.insert(summary.not_finite.begin(), {name, value, now});
        const std::string message =
            format("{} is {} at t = {} s", name, shortest(value), shortest(now.seconds));
        if (is_error)
            throw Error(message, "the unit diverges or divides by zero: try a smaller step, or "
                                 "check its parameters; without --strict the run continues");
        log.write(LogLevel::warning, {},
                  message + "; nothing is connected to it: the run continues");
    }
}

} // namespace rubato::engine
