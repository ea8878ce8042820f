// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/diagnostics.hpp>
#include <rubato/pipeline/sweep_plan.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <utility>

namespace rubato::pipeline {
namespace {

/// Numbers that are the same with every standard library: its distributions are not.
class Random {
public:
    explicit Random(std::uint64_t seed) : bits_(seed) {}

    /// In [0, 1).
    double uniform() { return static_cast<double>(bits_() >> 11) * 0x1p-53; }

    /// In 0 … count − 1, all equally likely.
    std::size_t below(std::size_t count) {
        const std::uint64_t most = std::mt19937_64::max() - std::mt19937_64::max() % count;
        std::uint64_t number = bits_();
        while (number >= most) number = bits_();
        return static_cast<std::size_t>(number % count);
    }

    /// 0 … count − 1 in random order.
    std::vector<std::size_t> permutation(std::size_t count) {
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
        return order;
    }

private:
    std::mt19937_64 bits_;
};

} // namespace

SweepPlan::SweepPlan(std::vector<Variation> variations, std::optional<std::size_t> samples,
                     std::uint64_t seed)
    : variations_(std::move(variations)) {
    if (variations_.empty())
        throw InputError("nothing is varied",
                         "give --vary, such as --vary winch.k=1:10:0.5, or a section sweep");
    std::set<std::string> paths;
    for (const Variation& each : variations_)
        if (!paths.insert(each.path).second)
            throw InputError(format("\"{}\" is varied twice", each.path),
                             "list all its values in one --vary");
    count_samples(samples);
    count_combinations();
    draw(seed);
}

void SweepPlan::count_samples(std::optional<std::size_t> samples) {
    const Variation* first = nullptr;
    for (const Variation& each : variations_) {
        if (each.sampling == Sampling::listed) continue;
        const auto count = each.samples ? each.samples : samples;
        if (!count)
            throw InputError(format("--vary {} does not say how many samples", each.text),
                             "give --samples N, or write lhs:N:LOW:HIGH");
        if (first && *count != samples_)
            throw InputError(format("--vary {} has {} samples, but --vary {} has {}", each.text,
                                    *count, first->text, samples_),
                             "all random samples and Latin hypercubes have the same number");
        samples_ = *count;
        first = &each;
    }
    if (!first && samples)
        throw InputError("--samples has no effect: nothing is sampled",
                         "use random or lhs in --vary, or remove it");
}

void SweepPlan::count_combinations() {
    double runs = static_cast<double>(samples_);
    for (const Variation& each : variations_)
        if (each.sampling == Sampling::listed) runs *= static_cast<double>(each.values.size());
    if (runs > static_cast<double>(most_runs))
        throw InputError(
            format("this would be {:.0f} runs; a sweep has at most {}", runs, most_runs),
            "vary fewer variables, choose larger steps, or sample by lhs");
    for (const Variation& each : variations_)
        if (each.sampling == Sampling::listed) combinations_ *= each.values.size();
}

void SweepPlan::draw(std::uint64_t seed) {
    Random random(seed);
    const auto count = static_cast<double>(samples_);
    for (const Variation& each : variations_) {
        std::vector<double>& points = points_.emplace_back();
        if (each.sampling == Sampling::listed) continue;
        const bool is_latin = each.sampling == Sampling::hypercube;
        const std::vector<std::size_t> parts =
            is_latin ? random.permutation(samples_) : std::vector<std::size_t>();
        for (std::size_t i = 0; i < samples_; ++i) {
            const double part = is_latin
                                    ? (static_cast<double>(parts[i]) + random.uniform()) / count
                                    : random.uniform();
            points.push_back(std::min(each.low + part * (each.high - each.low), each.high));
        }
    }
}

std::vector<Value> SweepPlan::values(std::size_t run) const {
    std::vector<Value> values(variations_.size());
    const std::size_t sample = run % samples_;
    std::size_t combination = run / samples_;
    for (std::size_t v = variations_.size(); v-- > 0;) {
        const Variation& each = variations_[v];
        if (each.sampling != Sampling::listed) {
            values[v] = points_[v][sample];
            continue;
        }
        values[v] = each.values[combination % each.values.size()];
        combination /= each.values.size();
    }
    return values;
}

} // namespace rubato::pipeline
