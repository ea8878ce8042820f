// SPDX-License-Identifier: Apache-2.0
#include "mpi_processes.hpp"

#include <rubato/private/format.hpp>

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <thread>

namespace rubato::distributed {

using engine::OthersFailed;

namespace {

/// Nobody reads the clock, and looks for failures, more often than that while it waits.
constexpr int tests_per_look = 128;
/// About a millisecond: the others are busy.
constexpr int tests_before_yield = 10'000;
/// How long a process that waits goes on after the user has asked for the end.
constexpr std::chrono::milliseconds patience_at_end{300};
constexpr std::chrono::milliseconds patience_after_failure{3000};

double seconds(std::chrono::steady_clock::duration span) {
    return std::chrono::duration<double>(span).count();
}

MPI_Comm duplicate_of_world() {
    MPI_Comm copy = MPI_COMM_NULL;
    check(MPI_Comm_dup(MPI_COMM_WORLD, &copy), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    return copy;
}

std::string own_host() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    return {name.data(), static_cast<std::size_t>(length)};
}

/// Whether processes on this host share processors.
bool is_oversubscribed() {
    MPI_Comm local = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local);
    int count = 1;
    MPI_Comm_size(local, &count);
    MPI_Comm_free(&local);
    return static_cast<unsigned>(count) > std::thread::hardware_concurrency();
}

} // namespace

MpiProcesses::MpiProcesses() {
    int provided = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    all_ = duplicate_of_world();
    messages_ = duplicate_of_world();
    failures_.start(rank_, count_);
    is_oversubscribed_ = is_oversubscribed();
    hosts_ = gather_everywhere(own_host());
    make_rounds();
}

/// After a failure that not all processes know of, only ending them all is left.
void MpiProcesses::end(int exit_code) {
    rounds_.clear();
    if (!is_complete()) {
        if (!reports()) std::this_thread::sleep_for(patience_after_failure); // who reports ends it
        MPI_Abort(MPI_COMM_WORLD, exit_code);
    }
    MPI_Finalize();
}

MpiProcesses::~MpiProcesses() {
    int is_over = 0;
    MPI_Finalized(&is_over);
    if (!is_over) end(1);
}

std::string MpiProcesses::name_of(std::uint32_t rank) const {
    return format("rank {} on {}", rank, hosts_.at(rank));
}

std::unique_ptr<engine::Messages>
MpiProcesses::open(std::span<const engine::MessageSize> outgoing,
                   std::span<const engine::MessageSize> incoming) {
    constexpr int tags = 32767; // that any MPI has; messages of one tag keep their order
    const int tag = next_tag_++ % tags;
    return std::make_unique<MpiMessages>(*this, messages_, tag, outgoing, incoming);
}

// -- waiting --------------------------------------------------------------------------------------

void MpiProcesses::exchange(std::span<MPI_Request> requests) {
    const auto begin = Clock::now();
    check(MPI_Startall(static_cast<int>(requests.size()), requests.data()), "MPI_Startall");
    times_.exchanging += seconds(Clock::now() - begin);
    wait(requests);
}

void MpiProcesses::wait(std::span<MPI_Request> requests) {
    const auto begin = Clock::now();
    const int count = static_cast<int>(requests.size());
    int are_done = 0;
    check(MPI_Testall(count, requests.data(), &are_done, MPI_STATUSES_IGNORE), "MPI_Testall");
    if (are_done) {
        times_.exchanging += seconds(Clock::now() - begin);
        return;
    }
    for (int tests = 1; !are_done; ++tests) {
        if (is_oversubscribed_ || tests > tests_before_yield) give_way();
        if (tests % tests_per_look == 0) look_for_failures(begin);
        check(MPI_Testall(count, requests.data(), &are_done, MPI_STATUSES_IGNORE), "MPI_Testall");
    }
    times_.waiting += seconds(Clock::now() - begin);
}

/// Lets others use the processor. Where programs of others keep it busy, a yield returns late; then
/// short sleeps are better, since the scheduler prefers whoever wakes up.
void MpiProcesses::give_way() {
    constexpr std::chrono::microseconds late{300}, nap{20};
    constexpr int naps_after_late = 2000;
    if (naps_ > 0) {
        --naps_;
        std::this_thread::sleep_for(nap);
        return;
    }
    const auto begin = Clock::now();
    ::sched_yield();
    if (Clock::now() - begin > late) naps_ = naps_after_late;
}

void MpiProcesses::look_for_failures(Clock::time_point since) const {
    auto& failures = const_cast<Failures&>(failures_);
    if (!failure_ && failures.find_notice()) throw OthersFailed("another process has failed");
    const bool stops = stop_ && stop_->load(std::memory_order_relaxed);
    if (stops && Clock::now() - since > patience_at_end)
        throw OthersFailed("interrupted while it waited for another process");
}

// -- collective calls -----------------------------------------------------------------------------

void MpiProcesses::broadcast(std::uint32_t from, std::span<std::byte> bytes) {
    if (bytes.empty()) return;
    auto& buffer = collected_.broadcast;
    buffer.assign(bytes.begin(), bytes.end());
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibcast(buffer.data(), static_cast<int>(buffer.size()), MPI_BYTE,
                     static_cast<int>(from), all_, &request),
          "MPI_Ibcast");
    wait(request);
    std::ranges::copy(buffer, bytes.begin());
}

/// All processes learn how much each of them gives.
void MpiProcesses::begin_gathering(std::string_view own, Where where) {
    auto& [size, given, whole, sizes, begins, unused] = collected_;
    given = own;
    size = static_cast<int>(own.size());
    sizes.resize(count());
    begins.resize(count());
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, all_, &request),
          "MPI_Iallgather");
    wait(request);
    std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
    const int all = begins.back() + sizes.back();
    whole.resize(rank_ == 0 || where == Where::everywhere ? static_cast<std::size_t>(all) : 0);
}

std::vector<std::string> MpiProcesses::gathered_parts() const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < collected_.sizes.size(); ++i)
        parts.push_back(collected_.whole.substr(static_cast<std::size_t>(collected_.begins[i]),
                                                static_cast<std::size_t>(collected_.sizes[i])));
    return parts;
}

std::vector<std::string> MpiProcesses::gather(std::string_view own) {
    begin_gathering(own, Where::first);
    auto& [size, given, whole, sizes, begins, unused] = collected_;
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Igatherv(given.data(), size, MPI_CHAR, whole.data(), sizes.data(), begins.data(),
                       MPI_CHAR, 0, all_, &request),
          "MPI_Igatherv");
    wait(request);
    if (rank_ != 0) return {};
    return gathered_parts();
}

std::vector<std::string> MpiProcesses::gather_everywhere(std::string_view own) {
    begin_gathering(own, Where::everywhere);
    auto& [size, given, whole, sizes, begins, unused] = collected_;
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgatherv(given.data(), size, MPI_CHAR, whole.data(), sizes.data(), begins.data(),
                          MPI_CHAR, all_, &request),
          "MPI_Iallgatherv");
    wait(request);
    return gathered_parts();
}

// -- reductions -----------------------------------------------------------------------------------

/// In round k every process tells the one 2ᵏ ranks further on the largest that it knows. After
/// ⌈log₂ n⌉ rounds all know the largest of all: what is counted twice does not matter.
void MpiProcesses::make_rounds() {
    for (int distance = 1; distance < count_; distance *= 2) {
        const auto to = static_cast<std::uint32_t>((rank_ + distance) % count_);
        const auto from = static_cast<std::uint32_t>((rank_ - distance + count_) % count_);
        const engine::MessageSize sent{to, most_numbers * sizeof(double)};
        const engine::MessageSize received{from, most_numbers * sizeof(double)};
        rounds_.push_back({std::make_unique<MpiMessages>(
            *this, messages_, next_tag_++, std::span(&sent, 1), std::span(&received, 1))});
    }
}

void MpiProcesses::take_largest(std::span<double> numbers) {
    for (std::size_t i = 0; i < numbers.size(); i += most_numbers)
        take_largest_of_few(numbers.subspan(i, std::min(most_numbers, numbers.size() - i)));
}

void MpiProcesses::take_largest_of_few(std::span<double> numbers) {
    std::array<double, most_numbers> others{};
    for (Round& round : rounds_) {
        std::memcpy(round.messages->outgoing(0).data(), numbers.data(), numbers.size_bytes());
        round.messages->exchange();
        std::memcpy(others.data(), round.messages->incoming(0).data(), numbers.size_bytes());
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (std::isnan(others[i]) || others[i] > numbers[i]) numbers[i] = others[i];
    }
}

// -- failures -------------------------------------------------------------------------------------

/// A failure that has been settled may come again, with more about it.
void MpiProcesses::fail(std::exception_ptr own) {
    const Failure cause = Failure::of(own);
    if (failure_) std::rethrow_exception(cause.kind == Failure::Kind::none ? failure_ : own);
    const bool stops = stop_ && stop_->load(std::memory_order_relaxed);
    const Failures::Verdict verdict =
        failures_.settle(cause, unsent_ ? unsent_->own() : std::string_view(),
                         stops ? patience_at_end : patience_after_failure);
    failure_ = error_of(verdict, own);
    if (rank_ == 0) save_rows();
    std::rethrow_exception(failure_);
}

/// What is reported.
std::exception_ptr MpiProcesses::error_of(const Failures::Verdict& verdict,
                                          const std::exception_ptr& own) {
    Failure failure = verdict.failure;
    if (verdict.is_of_all && failure.kind != Failure::Kind::none) return own;
    if (failure.kind != Failure::Kind::none) {
        failure.text =
            format("{}: {}", name_of(static_cast<std::uint32_t>(verdict.rank)), failure.text);
        return failure.exception();
    }
    std::vector<std::uint32_t> lost(failures_.missing().begin(), failures_.missing().end());
    if (lost.empty()) return std::make_exception_ptr(Error("interrupted"));
    std::vector<std::string> names;
    for (const std::uint32_t rank : lost) names.push_back(name_of(rank));
    return std::make_exception_ptr(
        engine::ProcessesLost(format("{} {} not answer any more", fmt::join(names, ", "),
                                     lost.size() > 1 ? "do" : "does"),
                              std::move(lost)));
}

/// Whatever goes wrong here, it is the failure that is reported.
void MpiProcesses::save_rows() noexcept {
    try {
        if (unsent_) unsent_->record(failures_.rows());
    } catch (...) { // NOLINT(bugprone-empty-catch)
    }
}

/// If the first process cannot, whoever has failed reports.
bool MpiProcesses::reports() const {
    return rank_ == 0 || (failure_ && std::ranges::count(failures_.missing(), 0) > 0);
}

} // namespace rubato::distributed

/// The processes that were started together; null: `problem` says why not.
extern "C" __attribute__((visibility("default"))) rubato::engine::Processes*
rubato_join_processes(const char** problem) {
    static std::string text;
    try {
        return new rubato::distributed::MpiProcesses;
    } catch (const std::exception& fault) {
        text = fault.what();
        *problem = text.c_str();
        return nullptr;
    }
}
