// SPDX-License-Identifier: Apache-2.0
#include "failures.hpp"

#include "mpi_messages.hpp"

#include <algorithm>
#include <thread>

namespace rubato::distributed {

namespace {

constexpr int notice_tag = 1, ending_tag = 2, verdict_tag = 3;
constexpr std::chrono::milliseconds pause{1};
constexpr char size_end = ':';
using Clock = std::chrono::steady_clock;

} // namespace

void Failures::start(int rank, int count) {
    rank_ = rank;
    count_ = count;
    check(MPI_Comm_dup(MPI_COMM_WORLD, &communicator_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
}

void Failures::send(int to, int tag, std::string text) {
    sent_.push_back(std::move(text));
    const std::string& message = sent_.back();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_CHAR, to, tag, communicator_,
              &request);
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

std::optional<std::string> Failures::receive(int from, int tag) {
    int is_there = 0;
    MPI_Status status{};
    if (MPI_Iprobe(from, tag, communicator_, &is_there, &status) != MPI_SUCCESS || !is_there)
        return std::nullopt;
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string text(static_cast<std::size_t>(length), '\0');
    MPI_Recv(text.data(), length, MPI_CHAR, status.MPI_SOURCE, tag, communicator_, &status);
    if (tag == notice_tag) notice_from_ = status.MPI_SOURCE;
    return text;
}

std::optional<Failure> Failures::find_notice() {
    if (notice_) return notice_;
    if (auto text = receive(MPI_ANY_SOURCE, notice_tag))
        notice_ = Failure::from_message(std::move(*text));
    return notice_;
}

void Failures::notify(const Failure& own) {
    if (own.kind == Failure::Kind::none) return;
    for (int other = 0; other < count_; ++other)
        if (other != rank_) send(other, notice_tag, own.message());
}

Failures::Verdict Failures::settle(const Failure& own, std::string_view rows,
                                   std::chrono::milliseconds patience) {
    notify(own);
    if (rank_ == 0) {
        rows_.resize(static_cast<std::size_t>(count_));
        rows_[0] = rows;
        return collect(own, patience);
    }
    const std::string message = own.message();
    send(0, ending_tag, std::to_string(message.size()) + size_end + message + std::string(rows));
    return await_verdict(own, 2 * patience);
}

/// "5:rtextROWS": how long the failure is, the failure, rows.
Failure Failures::take_ending(int rank, const std::string& message) {
    const std::size_t begin = message.find(size_end) + 1;
    const std::size_t size = std::stoul(message);
    rows_[static_cast<std::size_t>(rank)] = message.substr(begin + size);
    return Failure::from_message(message.substr(begin, size));
}

/// Of several failures, that of the lowest rank is reported.
Failures::Verdict Failures::collect(const Failure& own, std::chrono::milliseconds patience) {
    std::vector<std::optional<Failure>> endings(static_cast<std::size_t>(count_));
    endings[0] = own;
    const auto deadline = Clock::now() + patience;
    const auto is_open = [](const auto& ending) { return !ending.has_value(); };
    while (std::ranges::any_of(endings, is_open) && Clock::now() < deadline) {
        for (int other = 1; other < count_; ++other) {
            auto& ending = endings[static_cast<std::size_t>(other)];
            if (ending) continue;
            if (auto text = receive(other, ending_tag)) ending = take_ending(other, *text);
        }
        std::this_thread::sleep_for(pause);
    }
    Verdict verdict{.failure = {}, .rank = 0, .is_of_all = true};
    for (int rank = count_ - 1; rank >= 0; --rank) {
        const auto& ending = endings[static_cast<std::size_t>(rank)];
        if (!ending) missing_.push_back(rank);
        if (ending && ending->kind != Failure::Kind::none)
            verdict = {*ending, rank, verdict.is_of_all};
    }
    std::ranges::reverse(missing_);
    for (const auto& ending : endings)
        verdict.is_of_all = verdict.is_of_all && ending && ending->text == verdict.failure.text;
    if (verdict.failure.kind == Failure::Kind::none && find_notice())
        verdict = {*notice_, notice_from_, false};
    is_settled_ = true;
    const std::string from = std::to_string(verdict.rank) + (verdict.is_of_all ? "a" : "o");
    for (int other = 1; other < count_; ++other)
        send(other, verdict_tag, (missing_.empty() ? "c" : "m") + from + verdict.failure.message());
    return verdict;
}

Failures::Verdict Failures::await_verdict(const Failure& own, std::chrono::milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    while (Clock::now() < deadline) {
        if (const auto text = receive(0, verdict_tag)) {
            is_settled_ = text->front() == 'c';
            std::size_t digits = 0;
            const int rank = std::stoi(text->substr(1), &digits);
            const bool is_of_all = text->at(1 + digits) == 'a';
            return {Failure::from_message(text->substr(2 + digits)), rank, is_of_all};
        }
        std::this_thread::sleep_for(pause);
    }
    missing_ = {0};
    if (own.kind != Failure::Kind::none) return {own, rank_, false};
    if (find_notice()) return {*notice_, notice_from_, false};
    return {};
}

} // namespace rubato::distributed
