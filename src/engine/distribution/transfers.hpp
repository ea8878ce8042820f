// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "program/plan.hpp"

#include <rubato/engine/distribution.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace rubato::engine {

/// How the step of a unit has ended that was not completed.
struct UnusualEnd {
    std::uint32_t step = 0; ///< of the plan's
    unit::StepResult result;
};

/// What the processes of a distributed run exchange while they execute a plan. After outputs have
/// been read, at one place of the program, there is one message for each pair of processes of which
/// one needs values of the other. Who needs what:
///
/// - Values of loops, negotiations, initialization, conditions and what is watched reach all
///   processes: each solves every loop, in the same order of operations, so with the same bits.
/// - In the rest of a step, values reach the processes whose units are connected to them, unless a
///   controller or an event handler follows all values.
/// - The first process gets all connected values if it estimates errors.
class Transfers {
public:
    struct Interests {
        bool all_follow = false;    ///< every process follows all values
        bool first_follows = false; ///< the first one does
    };
    Transfers(Distribution& distribution, Plan& plan,
              std::span<const std::unique_ptr<unit::Unit>> units, const Interests& interests);

    /// Whether a set of the plan concerns the process.
    bool follows_set(std::size_t set) const { return follows_set_[set]; }

    void announce(RunCommand command, Time time) {
        distribution_.processes().announce(command, time);
    }
    /// The command by which values are shared from now on.
    void share_as(RunCommand command) { share_ = command; }

    /// Parts of arrays are set after the rest has been read, in this process alone.
    Distribution::Silence set_silently() { return Distribution::Silence(distribution_); }
    /// The own gets of an instruction at this time; then values reach the processes that need them.
    void read(const Instruction& gets, Time now);

    /// After the own steps of an instruction: their unusual ends, in the order of the program, which
    /// must live until the last of all has been asked for.
    void begin_ends(std::span<const UnusualEnd> own);
    /// The unusual ends in all processes, in the order of the program; nullopt: there are no more.
    std::optional<UnusualEnd> next_end();
    /// Where a process collects its own.
    std::vector<UnusualEnd>& own_ends() { return ends_; }

    /// What this process contributes to the agreement after each step instruction, and what came of
    /// it: whether somebody asks for the end, and whether the first process wants recorded rows.
    struct Wishes {
        bool stop = false;
        bool rows = false;
    };
    void heed(const std::atomic<bool>* stop) { stop_ = stop; }
    void want_rows(bool wanted) { own_rows_ = wanted; }
    Wishes& agreed() { return agreed_; }

private:
    struct Piece {
        std::byte* values = nullptr;
        std::size_t bytes = 0;
    };
    /// One place of the program.
    struct Transfer {
        std::unique_ptr<Messages> messages;
        std::vector<std::vector<Piece>> outgoing, incoming;         ///< by message
        std::vector<std::pair<std::uint32_t, std::uint32_t>> texts; ///< get and owner
    };
    class Builder;

    void exchange(const Instruction& gets);
    std::uint32_t unit_of(const unit::Unit* unit) const { return numbers_.at(unit); }

    Distribution& distribution_;
    Plan& plan_;
    std::unordered_map<const unit::Unit*, std::uint32_t> numbers_;
    std::vector<bool> owns_get_, follows_set_;
    std::vector<std::unique_ptr<Transfer>> transfers_; ///< by first get of an instruction
    std::vector<UnusualEnd> ends_;
    std::span<const UnusualEnd> own_ends_; ///< what is left of them
    bool has_ends_ = false;
    const std::atomic<bool>* stop_ = nullptr;
    bool own_rows_ = false;
    Wishes agreed_;
    RunCommand share_ = RunCommand::share_data;
};

} // namespace rubato::engine
