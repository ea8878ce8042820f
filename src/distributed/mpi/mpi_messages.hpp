// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/engine/processes.hpp>

#include <mpi.h>

#include <span>
#include <vector>

namespace rubato::distributed {

class MpiProcesses;

/// Throws an Error that names the call, unless it went well.
void check(int status, const char* call);

/// Messages with persistent requests.
class MpiMessages final : public engine::Messages {
public:
    MpiMessages(MpiProcesses& processes, MPI_Comm communicator, int tag,
                std::span<const engine::MessageSize> outgoing,
                std::span<const engine::MessageSize> incoming);
    ~MpiMessages() override;
    MpiMessages(const MpiMessages&) = delete;
    MpiMessages& operator=(const MpiMessages&) = delete;

    std::span<std::byte> outgoing(std::size_t index) override { return part(index); }
    std::span<const std::byte> incoming(std::size_t index) const override {
        return const_cast<MpiMessages*>(this)->part(sent_ + index);
    }
    void exchange() override;

private:
    std::span<std::byte> part(std::size_t index) {
        return std::span(bytes_).subspan(begins_[index], begins_[index + 1] - begins_[index]);
    }

    MpiProcesses& processes_;
    const std::size_t sent_;
    std::vector<std::size_t> begins_; ///< in `bytes_`: outgoing messages, then incoming ones
    std::vector<std::byte> bytes_;
    std::vector<MPI_Request> requests_; ///< receives first
};

} // namespace rubato::distributed
