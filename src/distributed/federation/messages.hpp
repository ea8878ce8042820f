// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "federates.hpp"

#include <rubato/private/format.hpp>

#include <cstring>

namespace rubato::distributed {

/// Messages of one place of the program: all that a federate sends there is one frame.
class FederateMessages final : public engine::Messages {
public:
    FederateMessages(Federates& federates, std::uint32_t number,
                     std::span<const engine::MessageSize> outgoing,
                     std::span<const engine::MessageSize> incoming)
        : federates_(federates), number_(number) {
        for (const auto& [process, bytes] : outgoing) out_.push_back({process, Bytes(bytes)});
        for (const auto& [process, bytes] : incoming) in_.push_back({process, Bytes(bytes)});
    }

    std::span<std::byte> outgoing(std::size_t index) override { return out_[index].bytes; }
    std::span<const std::byte> incoming(std::size_t index) const override {
        return in_[index].bytes;
    }
    void exchange() override {
        if (!out_.empty()) federates_.send(FrameKind::exchange, number_, body());
        for (Message& message : in_) {
            const Frame frame = federates_.receive(message.process, FrameKind::exchange, number_);
            const auto part = part_for(federates_.rank(), frame);
            if (!part || part->size() != message.bytes.size())
                throw Error(
                    format("{} has sent a damaged frame", federates_.name_of(message.process)));
            if (!part->empty()) std::memcpy(message.bytes.data(), part->data(), part->size());
        }
    }

    /// What a frame has for a federate; nullopt: nothing.
    static std::optional<std::string> part_for(std::uint32_t rank, const Frame& frame) {
        BodyReader reader(frame.body);
        while (const auto to = reader.number()) {
            auto part = reader.text();
            if (!part) return std::nullopt;
            if (*to == rank) return part;
        }
        return std::nullopt;
    }

private:
    using Bytes = std::vector<std::byte>;
    struct Message {
        std::uint32_t process = 0;
        Bytes bytes;
    };

    std::string body() const {
        BodyWriter writer;
        for (const Message& message : out_) {
            writer.put(std::uint64_t{message.process});
            writer.put(std::string_view(reinterpret_cast<const char*>(message.bytes.data()),
                                        message.bytes.size()));
        }
        return writer.take();
    }

    Federates& federates_;
    const std::uint32_t number_;
    std::vector<Message> out_, in_;
};

} // namespace rubato::distributed
