// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/bytes.hpp>
#include <rubato/unit/unit.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace rubato::unit::testing_own_steps {

inline constexpr ValueRef u = 0, y = 1, mode = 2, list = 3;

/// What is called in the inner unit.
struct Calls {
    std::vector<std::pair<double, double>> steps; ///< from, by
    int gets = 0, sets = 0, saves = 0, restores = 0;
};

struct Traits {
    bool accepts_any_step = true;
    std::optional<double> stops_at;  ///< a time up to which it makes steps from before only
    bool refuses = false;            ///< every step, whatever is made
    std::optional<double> breaks_at; ///< a time after which a step fails
};

/// y = ∫u dt. The integer `mode` and the array `list` are kept.
class Inner final : public Unit,
                    private Snapshots,
                    private SerializedStates,
                    private InputDerivatives {
public:
    Inner(Calls& calls, Traits traits)
        : Unit("inner", describe(traits.accepts_any_step)), calls_(calls), traits_(traits) {}

    Abilities abilities() noexcept override {
        Abilities all = Abilities::none();
        all.snapshots = this;
        all.serialized_states = this;
        all.input_derivatives = this;
        return all;
    }

private:
    struct State {
        double x = 0, u = 0, first = 0, second = 0;
        std::int64_t mode = 0;
        std::array<double, 2> list{};
    };

    static const scenario::UnitDescription& describe(bool accepts_any_step) {
        static std::map<bool, scenario::UnitDescription> descriptions;
        scenario::UnitDescription& result = descriptions[accepts_any_step];
        if (!result.variables.empty()) return result;
        result.capabilities.variable_step = accepts_any_step;
        result.variables.resize(4);
        for (ValueRef reference = 0; reference < 4; ++reference)
            result.variables[reference].reference = reference;
        result.variables[mode].type = ValueType::int32;
        result.variables[list].dimensions = {{.size = 2}};
        return result;
    }

    void do_enter_initialization(const Horizon&) override {}
    void do_exit_initialization() override {}
    void do_terminate() override {}
    void do_set(const Bulk& values) override {
        ++calls_.sets;
        if (values.references[0] == mode)
            now_.mode = values.integers()[0];
        else if (values.references[0] == list)
            std::ranges::copy(values.reals(), now_.list.begin());
        else
            now_.u = values.reals()[0];
    }
    void do_get(const Bulk& values) override {
        ++calls_.gets;
        if (values.references[0] == mode)
            values.integers()[0] = now_.mode;
        else if (values.references[0] == list)
            std::ranges::copy(now_.list, values.reals().begin());
        else
            values.reals()[0] = values.references[0] == u ? now_.u : now_.x;
    }
    StepResult do_step(Time from, Duration by) override {
        calls_.steps.emplace_back(from.seconds, by.seconds);
        if (traits_.breaks_at && (from + by).seconds > *traits_.breaks_at) fail("step", "broken");
        if (traits_.refuses) return {from, StepEnd::rejected};
        double h = by.seconds;
        if (traits_.stops_at && from.seconds < *traits_.stops_at)
            h = std::min(h, *traits_.stops_at - from.seconds);
        now_.x += h * (now_.u + h * (now_.first / 2 + h * now_.second / 6));
        return {from + Duration{h}, h < by.seconds ? StepEnd::rejected : StepEnd::completed};
    }

    void save(std::uint32_t slot) override {
        ++calls_.saves;
        saved_[slot] = now_;
        note_saved(slot);
    }
    void restore(std::uint32_t slot) override {
        ++calls_.restores;
        now_ = saved_.at(slot);
        note_restored(slot);
    }
    void serialize(std::uint32_t slot, std::vector<std::byte>& bytes) override {
        ByteWriter(bytes).put(saved_.at(slot));
    }
    void deserialize(std::uint32_t slot, std::span<const std::byte> bytes) override {
        saved_[slot] = ByteReader(bytes).take<State>();
        note_saved(slot, Phase::stepping);
    }
    unsigned max_order() const override { return 2; }
    void set(std::span<const ValueRef>, unsigned order, std::span<const double> values) override {
        (order == 1 ? now_.first : now_.second) = values[0];
    }

    Calls& calls_;
    Traits traits_;
    State now_;
    std::map<std::uint32_t, State> saved_;
};

} // namespace rubato::unit::testing_own_steps
