// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/compiler.hpp"

#include <rubato/engine/recorder.hpp>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace rubato::engine {

/// Records what the outputs of one unit were within steps and at events there: rows between those
/// of communication points, in which whatever is not sampled keeps the value of the point before.
/// Allocates in `make` only.
class InnerRecording {
public:
    struct Wish {
        std::size_t samples = 0; ///< of a step
        bool events = false;     ///< both sides of them, where the unit provides them
    };
    /// Samples the recorded outputs of the first unit that has any to be sampled. The units have
    /// been initialized. Null: there is nothing to sample.
    static std::unique_ptr<InnerRecording> make(const scenario::System& system,
                                                std::span<const std::unique_ptr<unit::Unit>> units,
                                                const Compiled& compiled, const Wish& wish);

    /// After a row of a communication point: its values are to be kept.
    void keep();
    /// After a step: its rows.
    void record(Recorder& recorder);

private:
    using KeptValue = std::variant<double, std::int64_t, bool, std::string>;

    explicit InnerRecording(const std::vector<ObservedValue>& columns);
    void choose_samples(const scenario::System& system,
                        std::span<const std::unique_ptr<unit::Unit>> units, std::size_t most);
    void sample_events(const scenario::System& system,
                       std::span<const std::unique_ptr<unit::Unit>> units);
    void swap_kept();

    std::vector<ObservedValue> columns_;
    std::vector<KeptValue> kept_;       ///< by column
    std::vector<double*> sampled_;      ///< where the sampled outputs are recorded
    std::vector<ObservedValue> others_; ///< and where others are that are sampled at events
    unit::IntermediateOutputs* outputs_ = nullptr;
};

} // namespace rubato::engine
