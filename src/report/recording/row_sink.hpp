// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace rubato::report {

/// Where a RowWriter puts rows. It is called by one thread at a time.
class RowSink {
public:
    virtual ~RowSink() = default;

    /// Takes whole rows. False: a fault, now or before, which `fail` throws.
    virtual bool write(std::string_view rows) noexcept = 0;
    /// Called several times a second, after `write`: puts rows into the file that it still holds,
    /// if that is worth it. Result as above.
    virtual bool refresh() noexcept { return true; }
    /// Puts all rows into the file that it still holds. Result as above.
    virtual bool flush() noexcept { return true; }
    /// No more rows follow. Throws Error.
    virtual void close() = 0;
    [[noreturn]] virtual void fail() const = 0;

    /// The time, as text, of the last row that is in the file; empty: no row is.
    virtual std::string_view last_written() const noexcept = 0;
    /// Whether a signal handler may call `write` and `flush`.
    virtual bool is_signal_safe() const noexcept = 0;
};

} // namespace rubato::report
