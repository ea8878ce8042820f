// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <hdf5.h>

#include <string>
#include <utility>

namespace rubato::report::hdf5 {

/// An object of the HDF5 library, closed with this one.
class Handle {
public:
    Handle() = default;
    Handle(hid_t id, herr_t (*closing)(hid_t)) : id_(id), close_(closing) {}
    Handle(Handle&& other) noexcept
        : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() { (void)close(); }

    hid_t get() const { return id_; }
    explicit operator bool() const { return id_ >= 0; }
    /// False: the library reports a fault.
    bool close() {
        const hid_t id = std::exchange(id_, H5I_INVALID_HID);
        return id < 0 || close_(id) >= 0;
    }

private:
    hid_t id_ = H5I_INVALID_HID;
    herr_t (*close_)(hid_t) = nullptr;
};

/// What the library says of the last fault, innermost first: "unable to write: No space left".
std::string last_fault();

/// Access to files: no locks, which Rubato has itself and some file systems have not.
Handle access_properties();

} // namespace rubato::report::hdf5
