// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

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

/// An attribute of an object instance that federates of other tools know.
struct LinkAttribute {
    std::string object_class; ///< below HLAobjectRoot: "Vehicle.Car"
    std::string instance;
    std::string attribute;
};

/// What one is now, in the encoding of the object model.
struct LinkValue {
    std::size_t attribute = 0; ///< index into those that were given
    std::string bytes;
};

/// What has come of one that is subscribed.
struct LinkUpdate {
    LinkValue value;
    bool is_removed = false; ///< the instance is gone; there is no value
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

    /// Once: the attributes of others that this federate wants to know.
    virtual void subscribe(const std::vector<LinkAttribute>& attributes) = 0;
    /// Once: registers the instances of these attributes, all of which this federate updates.
    virtual void publish(const std::vector<LinkAttribute>& attributes) = 0;
    /// A subscribed instance that nobody has registered yet; empty: all are there.
    virtual std::string missing_instance() const = 0;
    /// Sends values of published attributes with this time stamp.
    virtual void update(double time, const std::vector<LinkValue>& values) = 0;
    /// The next update that has come: those with a time stamp in its order, when that time is
    /// granted. False: there is none.
    virtual bool take_update(LinkUpdate& update) = 0;

    /// Leaves the federation. The last federate to leave destroys it.
    virtual void leave() = 0;
};

/// Of the module, "rubato_open_link": null means that `problem` says why not.
using OpenLinkFunction = Link* (*)(const LinkSettings& settings, const char** problem);

} // namespace distributed
} // namespace rubato
