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
    after_ = duplicate_of_world();
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
        if (is_oversubscribed_) ::sched_yield();
        if (tests % tests_per_look == 0) look_for_failures(begin);
        check(MPI_Testall(count, requests.data(), &are_done, MPI_STATUSES_IGNORE), "MPI_Testall");
    }
    times_.waiting += seconds(Clock::now() - begin);
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
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, static_cast<int>(from),
                     collective(), &request),
          "MPI_Ibcast");
    wait(request);
}

std::vector<int> MpiProcesses::gather_sizes(std::string_view own) {
    const int size = static_cast<int>(own.size());
    std::vector<int> sizes(count());
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, collective(), &request),
          "MPI_Iallgather");
    wait(request);
    return sizes;
}

namespace {

std::vector<int> begins_of(const std::vector<int>& sizes) {
    std::vector<int> begins(sizes.size());
    std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
    return begins;
}

std::vector<std::string> parts_of(const std::string& whole, const std::vector<int>& sizes) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (const int size : sizes) {
        parts.push_back(whole.substr(begin, static_cast<std::size_t>(size)));
        begin += static_cast<std::size_t>(size);
    }
    return parts;
}

} // namespace

std::vector<std::string> MpiProcesses::gather(std::string_view own) {
    const std::vector<int> sizes = gather_sizes(own);
    const std::vector<int> begins = begins_of(sizes);
    std::string whole;
    if (rank_ == 0) whole.resize(static_cast<std::size_t>(begins.back() + sizes.back()));
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Igatherv(own.data(), static_cast<int>(own.size()), MPI_CHAR, whole.data(),
                       sizes.data(), begins.data(), MPI_CHAR, 0, collective(), &request),
          "MPI_Igatherv");
    wait(request);
    if (rank_ != 0) return {};
    return parts_of(whole, sizes);
}

std::vector<std::string> MpiProcesses::gather_everywhere(std::string_view own) {
    const std::vector<int> sizes = gather_sizes(own);
    const std::vector<int> begins = begins_of(sizes);
    std::string whole(static_cast<std::size_t>(begins.back() + sizes.back()), '\0');
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallgatherv(own.data(), static_cast<int>(own.size()), MPI_CHAR, whole.data(),
                          sizes.data(), begins.data(), MPI_CHAR, collective(), &request),
          "MPI_Iallgatherv");
    wait(request);
    return parts_of(whole, sizes);
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

void MpiProcesses::fail(std::exception_ptr own) {
    if (failure_) std::rethrow_exception(failure_);
    const bool stops = stop_ && stop_->load(std::memory_order_relaxed);
    const Failure cause = Failure::of(own);
    const Failures::Verdict verdict =
        failures_.settle(cause, stops ? patience_at_end : patience_after_failure);
    if (verdict.is_of_all && cause.kind != Failure::Kind::none) {
        failure_ = own;
        std::rethrow_exception(own);
    }
    Failure report = verdict.failure;
    if (report.kind == Failure::Kind::none) {
        std::vector<std::string> names;
        for (const int rank : failures_.missing())
            names.push_back(name_of(static_cast<std::uint32_t>(rank)));
        report = {Failure::Kind::run,
                  names.empty() ? std::string("interrupted")
                                : format("{} does not answer any more", fmt::join(names, ", "))};
    } else if (!verdict.is_of_all) {
        report.text =
            format("{}: {}", name_of(static_cast<std::uint32_t>(verdict.rank)), report.text);
    }
    try {
        report.raise();
    } catch (...) {
        failure_ = std::current_exception();
        throw;
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
