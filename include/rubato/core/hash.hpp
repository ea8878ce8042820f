// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace rubato {

/// FNV-1a of 64 bits.
class Hash {
public:
    explicit Hash(std::uint64_t basis) : value_(basis) {}
    void add(std::string_view text) {
        for (const char c : text) add_byte(static_cast<unsigned char>(c));
        add_byte(0xff); // no UTF-8 text contains it: "ab","c" differs from "a","bc"
    }
    void add(std::uint64_t number) {
        for (int i = 0; i < 8; ++i) add_byte(static_cast<unsigned char>(number >> (8 * i)));
    }
    std::uint64_t value() const { return value_; }

private:
    void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3u; }
    std::uint64_t value_;
};

/// "{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}": two hashes of the same, with different bases.
/// `hash_with` makes one of them.
template <class HashWith>
std::string guid(HashWith&& hash_with) {
    const std::uint64_t halves[] = {hash_with(std::uint64_t{0xcbf29ce484222325u}),
                                    hash_with(std::uint64_t{0x9ae16a3b2f90404fu})};
    std::string result = "{";
    for (int digit = 0; digit < 32; ++digit) {
        if (digit == 8 || digit == 12 || digit == 16 || digit == 20) result += '-';
        result += "0123456789abcdef"[(halves[digit / 16] >> (60 - 4 * (digit % 16))) & 0xf];
    }
    return result + "}";
}

} // namespace rubato
