// SPDX-License-Identifier: Apache-2.0
#include "mpi_messages.hpp"

#include "mpi_processes.hpp"

#include <rubato/private/format.hpp>

#include <array>
#include <limits>

namespace rubato::distributed {

void check(int status, const char* call) {
    if (status == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(status, text.data(), &length);
    throw Error(format("{} failed: {}", call, text.data()));
}

namespace {

int int_of(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw Error(format("a message of {} bytes is too long for MPI", bytes));
    return static_cast<int>(bytes);
}

} // namespace

MpiMessages::MpiMessages(MpiProcesses& processes, MPI_Comm communicator, int tag,
                         std::span<const engine::MessageSize> outgoing,
                         std::span<const engine::MessageSize> incoming)
    : processes_(processes), sent_(outgoing.size()), begins_{0} {
    for (const auto& message : outgoing) begins_.push_back(begins_.back() + message.bytes);
    for (const auto& message : incoming) begins_.push_back(begins_.back() + message.bytes);
    bytes_.resize(begins_.back());
    requests_.reserve(outgoing.size() + incoming.size());
    for (std::size_t i = 0; i < incoming.size(); ++i) {
        const auto to = part(sent_ + i);
        check(MPI_Recv_init(to.data(), int_of(to.size()), MPI_BYTE,
                            static_cast<int>(incoming[i].process), tag, communicator,
                            &requests_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Recv_init");
    }
    for (std::size_t i = 0; i < outgoing.size(); ++i) {
        const auto from = part(i);
        check(MPI_Send_init(from.data(), int_of(from.size()), MPI_BYTE,
                            static_cast<int>(outgoing[i].process), tag, communicator,
                            &requests_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Send_init");
    }
}

/// Where the run has failed, requests may be under way: they stay with MPI until its end.
MpiMessages::~MpiMessages() {
    if (processes_.has_failed())
        processes_.keep(std::move(bytes_));
    else
        for (MPI_Request& request : requests_) MPI_Request_free(&request);
}

void MpiMessages::exchange() {
    if (requests_.empty()) return;
    processes_.exchange(requests_);
}

} // namespace rubato::distributed
