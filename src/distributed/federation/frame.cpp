// SPDX-License-Identifier: Apache-2.0
#include "frame.hpp"

#include <cstring>
#include <type_traits>

namespace rubato::distributed {

namespace {

/// All federates of a run have the same program, so the same representation of numbers. The mark
/// differs where the order of bytes does.
constexpr std::uint32_t mark = 0x31465552; // "RUF1"
constexpr std::size_t command_bytes = sizeof(std::uint8_t) + sizeof(double);

template <class T>
void append(std::string& bytes, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
bool take(std::string_view& bytes, T& value) {
    if (bytes.size() < sizeof value) return false;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return true;
}

bool take_commands(std::string_view& bytes, std::vector<Command>& commands) {
    std::uint32_t count = 0;
    if (!take(bytes, count) || count > bytes.size() / command_bytes) return false;
    commands.resize(count);
    for (Command& command : commands) {
        std::uint8_t which = 0;
        if (!take(bytes, which) || which >= engine::run_commands) return false;
        command.command = static_cast<engine::RunCommand>(which);
        (void)take(bytes, command.time.seconds);
    }
    return true;
}

} // namespace

std::string encode(const Frame& frame) {
    std::string bytes;
    constexpr std::size_t fixed = 32;
    bytes.reserve(fixed + frame.commands.size() * command_bytes + frame.body.size());
    append(bytes, mark);
    append(bytes, static_cast<std::uint8_t>(frame.kind));
    append(bytes, frame.session);
    append(bytes, frame.from);
    append(bytes, frame.number);
    append(bytes, static_cast<std::uint32_t>(frame.commands.size()));
    for (const Command& command : frame.commands) {
        append(bytes, static_cast<std::uint8_t>(command.command));
        append(bytes, command.time.seconds);
    }
    bytes += frame.body;
    return bytes;
}

std::optional<Frame> decode(std::string_view bytes) {
    Frame frame;
    std::uint32_t begin = 0;
    std::uint8_t kind = 0;
    if (!take(bytes, begin) || begin != mark) return std::nullopt;
    if (!take(bytes, kind) || kind >= frame_kinds) return std::nullopt;
    frame.kind = static_cast<FrameKind>(kind);
    if (!take(bytes, frame.session) || !take(bytes, frame.from) || !take(bytes, frame.number))
        return std::nullopt;
    if (!take_commands(bytes, frame.commands)) return std::nullopt;
    frame.body = bytes;
    return frame;
}

std::optional<std::uint64_t> BodyReader::number() {
    std::uint64_t value = 0;
    if (!take(rest_, value)) return std::nullopt;
    return value;
}

std::optional<std::string> BodyReader::text() {
    const auto size = number();
    if (!size || *size > rest_.size()) return std::nullopt;
    std::string result(rest_.substr(0, *size));
    rest_.remove_prefix(*size);
    return result;
}

std::optional<std::vector<std::string>> BodyReader::texts() {
    const auto count = number();
    if (!count || *count > rest_.size() / sizeof(std::uint64_t)) return std::nullopt;
    std::vector<std::string> result;
    for (std::uint64_t i = 0; i < *count; ++i) {
        auto one = text();
        if (!one) return std::nullopt;
        result.push_back(std::move(*one));
    }
    return result;
}

} // namespace rubato::distributed
