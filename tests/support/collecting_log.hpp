// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/log.hpp>

#include <mutex>
#include <ostream>
#include <string>
#include <vector>

namespace rubato::test {

/// A log that a test can read.
class CollectingLog final : public Log {
public:
    struct Message {
        LogLevel level;
        std::string source, text;
        friend bool operator==(const Message&, const Message&) = default;
    };

    void write(LogLevel level, std::string_view source, std::string_view message) override {
        const std::lock_guard lock(mutex_);
        messages_.push_back({level, std::string(source), std::string(message)});
    }
    const std::vector<Message>& messages() const { return messages_; }

private:
    std::mutex mutex_;
    std::vector<Message> messages_;
};

inline void PrintTo(const CollectingLog::Message& message, std::ostream* stream) {
    *stream << static_cast<int>(message.level) << " " << message.source << ": " << message.text;
}

} // namespace rubato::test
