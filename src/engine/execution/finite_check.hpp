// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/state_archive.hpp"

#include <rubato/core/log.hpp>
#include <rubato/engine/recorder.hpp>
#include <rubato/engine/simulation.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace rubato::engine {

/// Looks for recorded values that are NaN or infinite. Those that are connected stop the run, as
/// the executor reads them; the others come here.
class FiniteCheck {
public:
    FiniteCheck() = default;
    explicit FiniteCheck(std::span<const Column> columns);

    /// All values are up to date. The first time that one is not finite is noted and goes to the
    /// log, or is an Error.
    void look(Time now, bool is_error, Summary& summary, Log& log) {
        double probe = 0; // stays 0 unless a value is NaN or infinite
        for (const double* value : values_) probe += 0 * *value;
        if (!(probe == 0)) [[unlikely]]
            note(now, is_error, summary, log);
    }

    void visit_state(StateArchive& archive) {
        archive(indices_);
        values_.clear();
        for (const std::uint32_t index : indices_) values_.push_back(value_of(index));
    }

private:
    const double* value_of(std::uint32_t column) const;
    [[gnu::cold, gnu::noinline]] void note(Time now, bool is_error, Summary& summary, Log& log);

    std::span<const Column> columns_;
    std::vector<const double*> values_;  ///< of real columns that have been finite so far
    std::vector<std::uint32_t> indices_; ///< of these columns
};

} // namespace rubato::engine
