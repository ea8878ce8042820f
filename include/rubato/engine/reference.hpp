// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/recorder.hpp>

#include <cstdint>
#include <optional>
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

/// What shorter steps have done to a variable.
enum class Convergence : std::uint8_t {
    observed, ///< differences fall with the step: they measure the error
    none,     ///< they do not fall: the error is unknown
    no_change ///< there are none but for rounding
};

/// How far a variable is from what it would be with steps of no length.
struct RefinedError {
    std::string name;
    std::string unit; ///< of measure
    double range = 0; ///< from the smallest to the largest value
    Convergence convergence = Convergence::none;
    double largest = 0; ///< error at any time that is recorded; without convergence: difference
    double final = 0;   ///< error at the last one
    double order = 0;   ///< observed: error ~ step^order
    /// Over a few steps, far shorter ones show an error of some variable so many times its
    /// estimate there; nullopt: nobody has looked, or there is too little to see.
    std::optional<double> underestimate;

    /// Whether the error is known to a factor of 3, as far as all runs show.
    bool is_sure() const;
};

/// Richardson's extrapolation of the errors of `coarse` from runs with steps of half and a quarter
/// of the length: with differences d₁ (coarse - half) and d₂ (half - quarter) and the order p =
/// log₂(‖d₁‖ / ‖d₂‖) the error is |d₁| · 2^p / (2^p - 1).
std::vector<RefinedError> extrapolated_errors(const Series& coarse, const Series& half,
                                              const Series& quarter);

/// A few steps of a run, made again with far shorter ones. Three runs that agree may agree on
/// something wrong: where a coupling is much faster than all their steps, each of them leaves out
/// the same.
struct CloseLook {
    std::vector<Time> coarse, half, quarter, fine; ///< points, from the start to the stop
    Time from;                                     ///< before it all runs are the same
    Time until;                                    ///< what comes later need not be run
    unsigned parts = 1;                            ///< in which `fine` cuts the steps
};
/// `points` of the run, of which those after `from` are cut; about as many steps as it has, and a
/// few thousand at least.
CloseLook close_look(std::span<const Time> points, Time from);

/// Where to look: when the runs begin to differ.
Time first_difference(const Series& coarse, const Series& half);

/// Sets `underestimate` from runs with the points of a close look.
void compare(std::span<RefinedError> errors, const Series& coarse, const Series& half,
             const Series& quarter, const Series& fine);

} // namespace rubato::engine
