// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace rubato::pipeline {

/// Bytes on their way from one process to another.
class Message {
public:
    Message() = default;
    explicit Message(std::string bytes) : bytes_(std::move(bytes)) {}

    void add(double value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void add(const std::string& text) {
        add(static_cast<double>(text.size()));
        bytes_ += text;
    }
    void add(const std::vector<double>& values) {
        add(static_cast<double>(values.size()));
        bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
    }

    /// False: it ends before.
    bool take(double& value) {
        if (bytes_.size() - at_ < sizeof value) return false;
        std::memcpy(&value, bytes_.data() + at_, sizeof value);
        at_ += sizeof value;
        return true;
    }
    bool take(std::string& text) {
        std::size_t size = 0;
        if (!take_size(size, 1)) return false;
        text = bytes_.substr(at_, size);
        at_ += size;
        return true;
    }
    bool take(std::vector<double>& values) {
        std::size_t size = 0;
        if (!take_size(size, sizeof(double))) return false;
        values.resize(size);
        std::memcpy(values.data(), bytes_.data() + at_, size * sizeof(double));
        at_ += size * sizeof(double);
        return true;
    }
    const std::string& bytes() const { return bytes_; }

private:
    bool take_size(std::size_t& size, std::size_t each) {
        double number = 0;
        if (!take(number) || !(number >= 0)) return false;
        if (number * static_cast<double>(each) > static_cast<double>(bytes_.size() - at_))
            return false;
        size = static_cast<std::size_t>(number);
        return true;
    }

    std::string bytes_;
    std::size_t at_ = 0;
};

} // namespace rubato::pipeline
