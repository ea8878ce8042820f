// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/core/value.hpp>

#include <cstddef>
#include <cstdint>

/// What the program and its module rubato-hdf5.so have in common. Only the module needs the HDF5
/// library. No exceptions pass between them: functions return null, or a text that says what went
/// wrong and stays valid until the next call.
namespace rubato::report::hdf5 {

/// A text of some length, which may hold zeros.
struct Text {
    std::size_t size = 0;
    const char* data = nullptr;
};

struct Variable {
    const char* name = nullptr;
    const char* unit = nullptr; ///< of measure; empty: none
    const char* description = nullptr;
    ValueType type = ValueType::float64;
};

/// A file that is written: a dataset for each variable, which grows.
class Output {
public:
    virtual ~Output() = default; ///< closes the file
    /// Variables are numbered in the order in which they are added. Chunks hold so many values.
    virtual const char* add(const Variable& variable, std::size_t chunk) = 0;
    /// Writes a chunk, or its beginning: the values from `first` on, a multiple of the chunk. Those
    /// that have been written before must be the same. Reals are doubles, strings and binaries Text,
    /// all others std::int64_t (an uint64: its bits).
    virtual const char* write(std::size_t variable, std::size_t first, const void* values,
                              std::size_t count) = 0;
    /// All that was written is in the file, which can be read.
    virtual const char* flush() = 0;
    virtual const char* close() = 0;
};

/// A file that is read: the datasets of one dimension in its root group.
class Input {
public:
    virtual ~Input() = default;
    virtual std::size_t count() const = 0;
    virtual const char* name(std::size_t dataset) const = 0;
    virtual bool is_number(std::size_t dataset) const = 0;
    virtual std::size_t size(std::size_t dataset) const = 0;
    /// All values, as doubles. Only of numbers.
    virtual const char* read(std::size_t dataset, double* values) = 0;
};

/// "rubato_hdf5_create", "rubato_hdf5_open": null means that `problem` says why not.
using CreateFunction = Output* (*)(const char* path, const char** problem);
using OpenFunction = Input* (*)(const char* path, const char** problem);

} // namespace rubato::report::hdf5
