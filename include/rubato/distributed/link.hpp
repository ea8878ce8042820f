// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>

// Headers of run-time infrastructures are older than C++17, and so is this one: the module that
// includes both is compiled as C++14.

namespace rubato {
namespace distributed {

/// The run-time infrastructure (RTI) reports an error, or is gone.
class LinkError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// What a federate needs to join a federation execution.
struct LinkSettings {
    std::string federation;
    std::string federate; ///< its name, unique in the federation
    std::string address;  ///< of the RTI, as the RTI wants it; empty: the RTI's default
    std::string fom_file; ///< the FOM module of the federation
    bool is_master = false;
};

/// How a federate advances its time (IEEE 1516.1-2010, 8.8 and 8.9).
enum class Advance {
    available, ///< TARA: more may be sent and received at this time
    complete,  ///< TAR: nothing more is
};

/// A federate's connection to its federation. Time-regulating and time-constrained, with zero
/// lookahead. Frames keep the order in which their sender has sent them. One thread at a time may
/// use it. All functions throw LinkError.
class Link {
public:
    virtual ~Link() = default;

    /// The bytes reach all other federates of Rubato in the federation, as one frame.
    virtual void send(const char* bytes, std::size_t size) = 0;
    /// Returns when something has come, or after about so many seconds.
    virtual void wait(double seconds) = 0;
    /// The next frame that has come. False: there is none.
    virtual bool take(std::string& frame) = 0;

    /// Asks for a time; it is reached when `is_advancing` turns false, while waiting.
    virtual void request(double time, Advance how) = 0;
    virtual bool is_advancing() const = 0;

    /// Leaves the federation. The last federate to leave destroys it.
    virtual void leave() = 0;
};

/// Of the module, "rubato_open_link": null means that `problem` says why not.
using OpenLinkFunction = Link* (*)(const LinkSettings& settings, const char** problem);

} // namespace distributed
} // namespace rubato
