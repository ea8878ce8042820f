// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/recorder.hpp>

#include <span>
#include <string>
#include <vector>

/// Errors by repeating a run with shorter steps.
namespace rubato::engine {

/// Keeps the real columns of a run in memory, by time; of rows at one time the last.
class Series final : public Recorder {
public:
    /// Keeps all rows.
    Series() = default;
    /// Keeps the rows at the times of another one, which must outlive it.
    explicit Series(const Series& like) : like_(&like) {}

    void begin(std::span<const Column> columns) override;
    void record(Time time) override;
    void end() override {}

    std::span<const Column> columns() const { return columns_; }
    std::span<const double> times() const { return times_; }
    double value(std::size_t row, std::size_t column) const {
        return values_[row * columns_.size() + column];
    }

private:
    const Series* like_ = nullptr; ///< null: all rows are kept
    std::vector<Column> columns_;
    std::vector<double> times_;
    std::vector<double> values_; ///< row by row
};

/// The points and, between each two of them, as many more as cut the step in `parts`.
std::vector<Time> refined(std::span<const Time> points, unsigned parts);

/// How far a variable is from what it would be with steps of no length.
struct RefinedError {
    std::string name;
    std::string unit;   ///< of measure
    double range = 0;   ///< from the smallest to the largest value
    double largest = 0; ///< error at any time that is recorded
    double final = 0;   ///< error at the last one
    double order = 0;   ///< observed: error ~ step^order
    /// Halving the step has made so little difference that the order says nothing, or so much more
    /// than before that the step is too long for an order to show.
    bool has_order = false;
};

/// Richardson's extrapolation of the errors of `coarse` from runs with steps of half and a quarter
/// of the length: with differences d₁ (coarse - half) and d₂ (half - quarter) and the order p =
/// log₂(‖d₁‖ / ‖d₂‖) the error is |d₁| · 2^p / (2^p - 1); where no order shows it is |d₁| + |d₂|.
std::vector<RefinedError> extrapolated_errors(const Series& coarse, const Series& half,
                                              const Series& quarter);

} // namespace rubato::engine
