// SPDX-License-Identifier: Apache-2.0
#include "federates.hpp"

#include <rubato/private/format.hpp>

#include <algorithm>

// Whoever fails sends an ending to all; the others find it while they wait, and send theirs. The
// master chooses what is reported and informs all.
namespace rubato::distributed {

namespace {

constexpr std::chrono::milliseconds patience_at_end{500};
constexpr std::chrono::milliseconds patience_after_failure{3000};
constexpr std::chrono::milliseconds longest_silence{10000};

} // namespace

std::chrono::milliseconds Federates::silence_limit() const {
    return std::min(time_limit_, longest_silence);
}

bool Federates::is_silent(std::uint32_t rank) const {
    return Clock::now() - heard_[rank] > silence_limit();
}

void Federates::fail(std::exception_ptr own) {
    const Failure cause = Failure::of(own);
    if (failure_) std::rethrow_exception(cause.kind == Failure::Kind::none ? failure_ : own);
    try {
        failure_ = is_link_lost_ ? own : error_of(settle(cause), own);
    } catch (const Error&) { // the link is lost now
        failure_ = cause.kind == Failure::Kind::none ? std::current_exception() : own;
    }
    if (rank_ == 0) save_rows();
    std::rethrow_exception(failure_);
}

Federates::Verdict Federates::settle(const Failure& own) {
    const bool stops = stop_ && stop_->load(std::memory_order_relaxed);
    const auto patience = stops ? patience_at_end : patience_after_failure;
    BodyWriter writer;
    writer.put(std::string_view(own.message()));
    writer.put(rows_ ? rows_->own() : std::string_view());
    endings_[rank_] = Ending{own, rows_ ? std::string(rows_->own()) : std::string()};
    send(FrameKind::ending, 0, writer.take());
    return rank_ == 0 ? collect_endings(patience) : await_verdict(own, 2 * patience);
}

void Federates::take_ending(const Frame& frame) {
    BodyReader reader(frame.body);
    auto failure = reader.text();
    auto rows = reader.text();
    if (failure && rows)
        endings_[frame.from] = Ending{Failure::from_message(std::move(*failure)), std::move(*rows)};
}

void Federates::take_verdict(const Frame& frame) {
    BodyReader reader(frame.body);
    const auto rank = reader.number();
    const auto is_of_all = reader.number();
    auto failure = reader.text();
    if (frame.from != 0 || !rank || *rank >= count() || !is_of_all || !failure) return;
    verdict_ = Verdict{Failure::from_message(std::move(*failure)),
                       static_cast<std::uint32_t>(*rank), *is_of_all != 0};
}

Federates::Verdict Federates::collect_endings(std::chrono::milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    const auto is_awaited = [&] {
        for (std::uint32_t rank = 0; rank < count(); ++rank)
            if (!endings_[rank] && !is_silent(rank)) return true;
        return false;
    };
    while (is_awaited() && Clock::now() < deadline) pump();
    const Verdict verdict = choose_verdict();
    BodyWriter writer;
    writer.put(std::uint64_t{verdict.rank});
    writer.put(std::uint64_t{verdict.is_of_all ? 1U : 0U});
    writer.put(std::string_view(verdict.failure.message()));
    send(FrameKind::verdict, 0, writer.take());
    return verdict;
}

/// Of several failures, that of the lowest rank is reported. Where there is none, federates are
/// missing, or the user has asked for the end.
Federates::Verdict Federates::choose_verdict() {
    for (std::uint32_t rank = 0; rank < count(); ++rank)
        if (!endings_[rank]) missing_.push_back(rank);
    for (std::uint32_t rank = 0; rank < count(); ++rank) {
        if (!endings_[rank] || endings_[rank]->failure.kind == Failure::Kind::none) continue;
        const auto is_same = [&](const auto& ending) {
            return ending && ending->failure.text == endings_[rank]->failure.text;
        };
        return {endings_[rank]->failure, rank, std::ranges::all_of(endings_, is_same)};
    }
    std::vector<std::string> names;
    for (const std::uint32_t rank : missing_) names.push_back(name_of(rank));
    if (names.empty()) return {{Failure::Kind::run, "interrupted"}, 0, true};
    return {{Failure::Kind::run, format("{} {} not answer any more", fmt::join(names, ", "),
                                        names.size() > 1 ? "do" : "does")},
            0,
            true};
}

Federates::Verdict Federates::await_verdict(const Failure& own,
                                            std::chrono::milliseconds patience) {
    const auto deadline = Clock::now() + patience;
    while (!verdict_ && !is_silent(0) && Clock::now() < deadline) pump();
    if (verdict_) return *verdict_;
    missing_ = {0};
    if (own.kind != Failure::Kind::none) return {own, rank_, false};
    for (std::uint32_t rank = 0; rank < count(); ++rank)
        if (rank != rank_ && endings_[rank] && endings_[rank]->failure.kind != Failure::Kind::none)
            return {endings_[rank]->failure, rank, false};
    return {{Failure::Kind::run,
             name_of(0) + " does not answer any more: it has ended, or the RTI has"},
            0,
            true};
}

/// An error that not all have names the federate that it comes from.
std::exception_ptr Federates::error_of(const Verdict& verdict,
                                       const std::exception_ptr& own) const {
    const Failure cause = Failure::of(own);
    const bool is_own = cause.kind != Failure::Kind::none && cause.text == verdict.failure.text;
    if (is_own && (verdict.is_of_all || verdict.rank == rank_)) return own;
    Failure failure = verdict.failure;
    if (rank_ == 0 && !missing_.empty() && verdict.is_of_all)
        return std::make_exception_ptr(engine::ProcessesLost(failure.text, missing_));
    if (!verdict.is_of_all) failure.text = format("{}: {}", name_of(verdict.rank), failure.text);
    return failure.exception();
}

/// Whatever goes wrong here, it is the failure that is reported.
void Federates::save_rows() noexcept {
    try {
        std::vector<std::string> all;
        for (const auto& ending : endings_) all.push_back(ending ? ending->rows : std::string());
        if (rows_) rows_->record(all);
    } catch (...) { // NOLINT(bugprone-empty-catch)
    }
}

} // namespace rubato::distributed
