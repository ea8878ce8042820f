// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "error_filter.hpp"
#include "program/compiler.hpp"
#include "program/state_archive.hpp"

#include <rubato/core/time.hpp>
#include <rubato/engine/order_control.hpp>
#include <rubato/scenario/system.hpp>
#include <rubato/unit/unit.hpp>

#include <memory>
#include <span>
#include <vector>

namespace rubato::engine {

/// A unit and another that feeds it. The order decides which of them waits.
struct Feed {
    UnitId fed, source;
    friend bool operator==(const Feed&, const Feed&) = default;
};

/// All of a system, in the order of its links.
std::vector<Feed> feeds_of(const scenario::System& system);

/// Predicts what is lost if units step before those that feed them. It sees what crosses between
/// units and what they declare, after each step that all of them have made.
class OrderEstimate {
public:
    virtual ~OrderEstimate() = default;
    virtual void start(Time now) = 0;
    virtual void note(Time now, Duration by) = 0;
    /// Events have been handled: what they have changed at once is no error and no work.
    virtual void jump(Time now) = 0;
    /// By coupling.
    virtual void find_costs(std::span<double> costs) const = 0;
    virtual void visit_state(StateArchive& archive) = 0;
};

/// The input estimation error of Inci et al. (2021, 2023): what the fed unit would have missed by
/// extrapolation, per coupling, filtered.
class InputErrors final : public OrderEstimate {
public:
    InputErrors(const OrderControl& control, const scenario::System& system,
                const Compiled& compiled, std::span<const Feed> couplings);
    void start(Time now) override;
    void note(Time now, Duration by) override;
    void jump(Time now) override;
    void find_costs(std::span<double> costs) const override;
    void visit_state(StateArchive& archive) override { archive(inputs_, errors_, filters_); }

private:
    /// An input, or an element of one.
    struct Input {
        const double* source = nullptr; ///< its last value, as the algorithm has got it
        double factor = 1, offset = 0;
        double gain = 0, weight = 1;
        std::size_t coupling = 0;
        InputHistory history{0};
        double last = 0; ///< at the last communication point
        double error = 0;

        double value() const { return factor * *source + offset; }
        void visit_state(StateArchive& archive) { archive(history, last, error); }
        void restart(Time now);
    };
    std::vector<Input> inputs_;
    std::vector<double> errors_; ///< of this step, by coupling
    std::vector<ErrorFilter> filters_;
};

/// The power transfer of Inci et al. (2023): of two coupled units, the one that has done more work
/// on others in the last step is to go first.
class PowerTransfer final : public OrderEstimate {
public:
    PowerTransfer(const OrderControl& control, std::span<const std::unique_ptr<unit::Unit>> units,
                  std::span<const Feed> couplings);
    void start(Time now) override;
    void note(Time now, Duration by) override;
    void jump(Time now) override { start(now); }
    void find_costs(std::span<double> costs) const override;
    void visit_state(StateArchive& archive) override { archive(balances_); }

private:
    /// The energy of one unit: E of energies, then an effort and a displacement for each loss.
    struct Balance {
        unit::Unit* unit = nullptr;
        std::size_t energies = 0;
        std::vector<ValueRef> references;
        std::vector<ValueType> types;
        std::vector<double> values, before;
        double work = 0; ///< that it has done on others

        void read();
        void visit_state(StateArchive& archive) { archive(values, before, work); }
        double energy(const std::vector<double>& at) const;
        double losses() const;
    };
    std::vector<Balance> balances_; ///< by unit
    std::vector<Feed> couplings_;
};

/// The same without declared energies: the work over each power bond in the last step. The unit
/// that has done it on the other is to go first.
class BondWork final : public OrderEstimate {
public:
    BondWork(const scenario::System& system, const Compiled& compiled,
             std::span<const Feed> couplings);
    void start(Time now) override;
    void note(Time now, Duration by) override;
    void jump(Time now) override { start(now); }
    void find_costs(std::span<double> costs) const override;
    void visit_state(StateArchive& archive) override { archive(accounts_); }

private:
    struct Part {
        const double *effort = nullptr, *flow = nullptr; ///< as the algorithm has got them
        double factor = 1;
        double e = 0, f = 0; ///< at the last communication point

        void visit_state(StateArchive& archive) { archive(e, f); }

        void read();
        double work(Duration by);
    };
    struct Account {
        std::vector<Part> parts;
        std::size_t of_taker = 0, of_giver = 0; ///< coupling that feeds it; of the effort
        double work = 0;                        ///< that the giver has done on the taker

        void visit_state(StateArchive& archive) { archive(parts, work); }
    };
    std::vector<Account> accounts_; ///< by bond
};

} // namespace rubato::engine
