// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "failures.hpp"
#include "mpi_messages.hpp"

#include <array>
#include <chrono>
#include <deque>
#include <optional>
#include <string>

namespace rubato::distributed {

/// The processes of MPI_COMM_WORLD. While it waits, a process looks for notices of failures, so
/// that no failure leaves others waiting.
class MpiProcesses final : public engine::Processes {
public:
    MpiProcesses();
    ~MpiProcesses() override;

    std::uint32_t rank() const override { return static_cast<std::uint32_t>(rank_); }
    std::uint32_t count() const override { return static_cast<std::uint32_t>(count_); }
    std::string name_of(std::uint32_t rank) const override;

    std::unique_ptr<engine::Messages> open(std::span<const engine::MessageSize> outgoing,
                                           std::span<const engine::MessageSize> incoming) override;
    void broadcast(std::uint32_t from, std::span<std::byte> bytes) override;
    std::vector<std::string> gather(std::string_view own) override;
    std::vector<std::string> gather_everywhere(std::string_view own) override;
    void take_largest(std::span<double> numbers) override;
    [[noreturn]] void fail(std::exception_ptr own) override;
    void save_at_failure(engine::UnsentRows* rows) override { unsent_ = rows; }
    bool is_complete() const override { return !failure_ || failures_.is_complete(); }
    void heed(const std::atomic<bool>* stop) override { stop_ = stop; }
    engine::ProcessTimes times() const override { return times_; }
    bool reports() const override;
    void end(int exit_code) override;

    bool has_failed() const { return failure_ != nullptr; }
    /// Of messages that may be under way.
    void keep(std::vector<std::byte> bytes) { kept_.push_back(std::move(bytes)); }
    /// Starts persistent requests and waits for them.
    void exchange(std::span<MPI_Request> requests);

private:
    static constexpr std::size_t most_numbers = 8;
    using Clock = std::chrono::steady_clock;

    /// A round of a reduction: every process tells the one so many ranks further on what it knows.
    struct Round {
        std::unique_ptr<MpiMessages> messages;
    };

    void make_rounds();
    void take_largest_of_few(std::span<double> numbers);
    void wait(std::span<MPI_Request> requests);
    void wait(MPI_Request request) { wait(std::span(&request, 1)); }
    void give_way();
    void look_for_failures(Clock::time_point since) const;
    enum class Where : std::uint8_t { first, everywhere };
    void begin_gathering(std::string_view own, Where where);
    std::vector<std::string> gathered_parts() const;
    std::exception_ptr error_of(const Failures::Verdict& verdict, const std::exception_ptr& own);
    void save_rows() noexcept;

    /// What collective calls read and write: MPI may still do so when a failure has ended the wait
    /// for them.
    struct Collected {
        int size = 0;
        std::string own, whole;
        std::vector<int> sizes, begins; ///< by rank
        std::vector<std::byte> broadcast;
    };

    int rank_ = 0, count_ = 1;
    bool is_oversubscribed_ = false;
    int naps_ = 0; ///< that are left
    MPI_Comm all_ = MPI_COMM_NULL, messages_ = MPI_COMM_NULL;
    Collected collected_;
    std::vector<std::string> hosts_; ///< by rank
    Failures failures_;
    engine::UnsentRows* unsent_ = nullptr;
    std::exception_ptr failure_; ///< what all processes end with; null: none has failed
    std::vector<Round> rounds_;
    int next_tag_ = 0;
    const std::atomic<bool>* stop_ = nullptr;
    engine::ProcessTimes times_;
    std::deque<std::vector<std::byte>> kept_;
};

} // namespace rubato::distributed
