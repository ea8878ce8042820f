// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "failure.hpp"

#include <mpi.h>

#include <chrono>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::distributed {

/// How all processes learn that one has failed, and agree on what to report. A process that fails
/// sends a notice to all others, which look for it while they wait. Then each informs the first
/// process how it has ended, and sends the rows that it still has; the first process chooses what is
/// reported and informs all others.
class Failures {
public:
    void start(int rank, int count);

    /// The notice that another process has sent, if there is one.
    std::optional<Failure> find_notice();
    /// What is reported, with the process that it comes from, if not all have failed alike.
    struct Verdict {
        Failure failure;
        int rank = 0;
        bool is_of_all = false;
    };
    /// `rows` go to the first process. `patience`: how long to wait for the others.
    Verdict settle(const Failure& own, std::string_view rows, std::chrono::milliseconds patience);
    /// In the first process: rows, by rank; none of a process that is missing.
    std::span<const std::string> rows() const { return rows_; }
    /// Whether all processes have come to `settle`.
    bool is_complete() const { return missing_.empty() && is_settled_; }
    /// Those that have not, as far as this process knows.
    const std::vector<int>& missing() const { return missing_; }

private:
    void notify(const Failure& own);
    void send(int to, int tag, std::string text);
    std::optional<std::string> receive(int from, int tag);
    Failure take_ending(int rank, const std::string& message);
    Verdict collect(const Failure& own, std::chrono::milliseconds patience);
    Verdict await_verdict(const Failure& own, std::chrono::milliseconds patience);

    MPI_Comm communicator_ = MPI_COMM_NULL;
    int rank_ = 0, count_ = 1;
    std::optional<Failure> notice_;
    int notice_from_ = 0;
    std::vector<int> missing_;
    std::vector<std::string> rows_;
    bool is_settled_ = false;
    std::deque<std::string> sent_; ///< may be under way
};

} // namespace rubato::distributed
