// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "slave_machine.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rubato::distributed {

/// What a federate of Rubato sends to the others: one value of the attribute RubatoFederate.Frame.
enum class FrameKind : std::uint8_t {
    hello,      ///< a federate claims units
    refusal,    ///< the master does not take a federate, or gives up
    roster,     ///< the master has all federates: the run begins
    exchange,   ///< values for some federates
    collective, ///< part of a reduction, a broadcast or a collection
    ending,     ///< how a federate has failed
    verdict,    ///< what is reported of that
    alive,      ///< nothing but a sign of life
};
constexpr std::uint8_t frame_kinds = 8;

struct Frame {
    FrameKind kind = FrameKind::alive;
    std::uint64_t session = 0;     ///< of the run; 0: it has not begun
    std::uint32_t from = 0;        ///< rank
    std::uint32_t number = 0;      ///< of the messages, or of the collective call
    std::vector<Command> commands; ///< of the master, since its last frame
    std::string body;
};

std::string encode(const Frame& frame);
/// Nullopt: these are not the bytes of a frame.
std::optional<Frame> decode(std::string_view bytes);

/// Texts and numbers of a body. What is read is not trusted: nullopt where it does not fit.
class BodyWriter {
public:
    void put(std::uint64_t number) {
        body_.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    void put(std::string_view text) {
        put(std::uint64_t{text.size()});
        body_ += text;
    }
    void put(const std::vector<std::string>& texts) {
        put(std::uint64_t{texts.size()});
        for (const std::string& text : texts) put(std::string_view(text));
    }
    std::string take() { return std::move(body_); }

private:
    std::string body_;
};

class BodyReader {
public:
    explicit BodyReader(std::string_view body) : rest_(body) {}
    std::optional<std::uint64_t> number();
    std::optional<std::string> text();
    std::optional<std::vector<std::string>> texts();
    std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
};

} // namespace rubato::distributed
