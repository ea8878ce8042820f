// SPDX-License-Identifier: Apache-2.0
#include "compression.hpp"

#include <algorithm>
#include <array>

namespace rubato::report::hdf5 {
namespace {

constexpr int stored = 0;
constexpr int fastest = 1;

/// Whether bytes are spread so evenly over all values that coding them gains next to nothing: the
/// probability that two of them are alike is hardly more than that of noise.
bool is_noise(const std::uint8_t* bytes, std::size_t count) {
    constexpr std::size_t most = 1024; // enough to tell
    const std::size_t stride = std::max<std::size_t>(1, count / most);
    std::array<std::uint32_t, 256> counts{};
    for (std::size_t i = 0; i < count; i += stride) ++counts[bytes[i]];
    double alike = 0;
    for (const std::uint32_t each : counts) alike += static_cast<double>(each) * each;
    constexpr double least_gain = 3;
    const auto all = static_cast<double>(count / stride);
    return alike < least_gain * (all * all / 256 + all);
}

} // namespace

Compression::Compression() {
    constexpr int window_bits = 12;
    constexpr int memory_level = 6;
    deflateInit2(&stream_, fastest, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY);
}
Compression::~Compression() { deflateEnd(&stream_); }

bool Compression::deflate_bytes(const std::uint8_t* bytes, std::size_t count, int flush) {
    stream_.next_in = const_cast<std::uint8_t*>(bytes); // is only read
    stream_.avail_in = static_cast<uInt>(count);
    const int result = ::deflate(&stream_, flush);
    return stream_.avail_in == 0 && (flush != Z_FINISH || result == Z_STREAM_END);
}

const std::vector<std::uint8_t>& Compression::compress(const std::uint8_t* values,
                                                       std::size_t count, std::size_t size) {
    shuffled_.resize(count * size);
    for (std::size_t byte = 0; byte < size; ++byte) {
        std::uint8_t* const plane = shuffled_.data() + byte * count;
        for (std::size_t i = 0; i < count; ++i) plane[i] = values[i * size + byte];
    }
    compressed_.resize(shuffled_.size() - 1); // else it is not worth it
    deflateReset(&stream_);
    stream_.next_out = compressed_.data();
    stream_.avail_out = static_cast<uInt>(compressed_.size());
    bool is_good = true;
    for (std::size_t byte = 0; byte < size && is_good; ++byte) {
        const std::uint8_t* const plane = shuffled_.data() + byte * count;
        const int level = is_noise(plane, count) ? stored : fastest;
        stream_.avail_in = 0;
        is_good = deflateParams(&stream_, level, Z_DEFAULT_STRATEGY) == Z_OK &&
                  deflate_bytes(plane, count, byte + 1 == size ? Z_FINISH : Z_NO_FLUSH);
    }
    compressed_.resize(is_good ? compressed_.size() - stream_.avail_out : 0);
    return compressed_;
}

} // namespace rubato::report::hdf5
