// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "failure.hpp"
#include "heartbeat.hpp"
#include "membership.hpp"

#include <deque>
#include <exception>
#include <optional>
#include <utility>

namespace rubato::distributed {

/// The processes of a run as federates (docs/adr/0013-federations.md). Every federate executes the
/// whole program. What the engine exchanges goes in frames: one update of one attribute reaches all
/// federates, each takes what is for it. Frames of the master carry the commands that it has
/// executed since its last one. Slaves obey them by the state machine, and compare them with what
/// their own program does, so federates that have diverged do not go on.
class Federates final : public Federation {
public:
    Federates(std::unique_ptr<Link> link, Roster roster, std::uint64_t own_id,
              const FederationSettings& settings);
    ~Federates() override;

    const std::vector<Member>& members() const override { return roster_.members; }
    const std::string& offer() const override { return roster_.offer; }

    std::uint32_t rank() const override { return rank_; }
    std::uint32_t count() const override {
        return static_cast<std::uint32_t>(roster_.members.size());
    }
    std::string name_of(std::uint32_t rank) const override;
    std::unique_ptr<engine::Messages> open(std::span<const engine::MessageSize> outgoing,
                                           std::span<const engine::MessageSize> incoming) override;
    void broadcast(std::uint32_t from, std::span<std::byte> bytes) override;
    std::vector<std::string> gather(std::string_view own) override;
    std::vector<std::string> gather_everywhere(std::string_view own) override;
    void take_largest(std::span<double> numbers) override;
    void exchange_attributes(const std::vector<LinkAttribute>& published,
                             const std::vector<LinkAttribute>& subscribed) override;
    void update(Time time, const std::vector<LinkValue>& values) override;
    std::vector<LinkUpdate> take_updates() override { return std::exchange(updates_, {}); }
    void announce(engine::RunCommand command, Time time) override;
    [[noreturn]] void fail(std::exception_ptr own) override;
    void save_at_failure(engine::UnsentRows* rows) override { rows_ = rows; }
    bool is_complete() const override { return !failure_ || (missing_.empty() && !is_link_lost_); }
    void heed(const std::atomic<bool>* stop) override { stop_ = stop; }
    engine::ProcessTimes times() const override { return times_; }
    /// Each federate has a user of its own.
    bool reports() const override { return true; }
    void end(int exit_code) override;

    // For messages.

    void send(FrameKind kind, std::uint32_t number, std::string body);
    /// The next frame that a federate has sent for this one.
    Frame receive(std::uint32_t from, FrameKind kind, std::uint32_t number);

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::uint32_t everybody = 0xffffffff;

    void send_collective(std::uint32_t to, std::string_view bytes);
    std::string receive_collective(std::uint32_t from);
    std::vector<std::string> collect(std::string_view own);

    /// Waits for frames for a short time and takes those that have come.
    void pump();
    /// Does something with the link, under its lock. What the RTI reports becomes an Error.
    template <class Use>
    void with_link(Use&& use);
    void take_frame(Frame frame);
    void refuse_late(const Frame& hello);
    bool is_for_me(const Frame& frame) const;
    void look_for_failures(Clock::time_point since) const;
    /// Pumps until it is true, unless somebody fails.
    template <class Condition>
    void wait_until(Condition&& is_true);

    void advance_time(double time, Advance how);
    void collect_updates();
    void meet_all();
    void obey(std::span<const Command> commands);
    void compare_commands();

    // How all federates learn that one has failed, and agree on what to report.

    struct Verdict {
        Failure failure;
        std::uint32_t rank = 0;
        bool is_of_all = false;
    };
    std::chrono::milliseconds silence_limit() const;
    bool is_silent(std::uint32_t rank) const;
    Verdict settle(const Failure& own);
    Verdict collect_endings(std::chrono::milliseconds patience);
    Verdict choose_verdict();
    Verdict await_verdict(const Failure& own, std::chrono::milliseconds patience);
    void take_ending(const Frame& frame);
    void take_verdict(const Frame& frame);
    std::exception_ptr error_of(const Verdict& verdict, const std::exception_ptr& own) const;
    void save_rows() noexcept;

    std::unique_ptr<Link> link_;
    const Roster roster_;
    const std::chrono::milliseconds time_limit_;
    std::uint32_t rank_ = 0;
    std::uint32_t opened_ = 0, collectives_ = 0;
    std::vector<std::deque<Frame>> queues_; ///< by rank: frames for this federate
    std::vector<Clock::time_point> heard_;  ///< by rank: when the last frame has come
    struct Ending {
        Failure failure;
        std::string rows;
    };
    std::vector<std::optional<Ending>> endings_; ///< by rank
    std::optional<Verdict> verdict_;             ///< of the master
    std::vector<std::uint32_t> missing_;         ///< federates that do not answer
    engine::UnsentRows* rows_ = nullptr;
    bool is_link_lost_ = false;

    SlaveMachine machine_;
    std::vector<Command> unsent_;           ///< of the master
    std::deque<Command> own_, from_master_; ///< of a slave: not compared yet
    double granted_ = 0;                    ///< logical time of the federation
    std::optional<Advance> granted_how_;    ///< none: it is the initial time
    bool exchanges_attributes_ = false;
    std::vector<LinkUpdate> updates_; ///< of attributes of others, that nobody has taken yet

    std::exception_ptr failure_; ///< what this federate ends with; null: nobody has failed
    const std::atomic<bool>* stop_ = nullptr;
    engine::ProcessTimes times_;
    std::optional<Heartbeat> heartbeat_;
};

} // namespace rubato::distributed
