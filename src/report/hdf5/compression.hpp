// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rubato::report::hdf5 {

/// Compresses chunks as the filters "shuffle" and "deflate" of HDF5 do, so that every reader
/// understands them, in a fraction of the time: of shuffled numbers, the first bytes of all come
/// first, then the second ones and so on. Those that look like noise, as the low bytes of most
/// floating-point numbers do, are stored, the others are deflated.
class Compression {
public:
    Compression();
    ~Compression();
    Compression(const Compression&) = delete;
    Compression& operator=(const Compression&) = delete;

    /// The chunk in its compressed form; empty: that is not smaller. Valid until the next call.
    const std::vector<std::uint8_t>& compress(const std::uint8_t* values, std::size_t count,
                                              std::size_t size);
    /// The chunk of the last call, shuffled only.
    const std::vector<std::uint8_t>& shuffled() const { return shuffled_; }

private:
    bool deflate_bytes(const std::uint8_t* bytes, std::size_t count, int flush);

    z_stream stream_{};
    std::vector<std::uint8_t> shuffled_;
    std::vector<std::uint8_t> compressed_;
};

} // namespace rubato::report::hdf5
