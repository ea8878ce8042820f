// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <rubato/distributed/link.hpp>
#include <rubato/engine/processes.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rubato::distributed {

/// How a process takes part in a federation.
struct FederationSettings {
    std::string federation;
    std::vector<std::string> units; ///< that this federate claims
    std::string address;            ///< of the RTI; empty: the RTI's default
    std::string fom = {};           ///< the FOM module of the federation (fom.hpp)
    /// How long to wait for federates to join, and for one that gives no sign of life.
    std::chrono::milliseconds time_limit{60000};
    const std::atomic<bool>* stop = nullptr; ///< ends the waiting; null: nobody does
};

/// A federate of the run.
struct Member {
    std::uint64_t id = 0; ///< of its process
    std::string name;
    std::string host;
    std::vector<std::string> units;
};

/// The federates of a run as its processes: the master is the first one.
class Federation : public engine::Processes {
public:
    /// By rank.
    virtual const std::vector<Member>& members() const = 0;
    /// What the master has given all federates to know.
    virtual const std::string& offer() const = 0;

    /// Begins to exchange attributes with federates of other tools. All federates call it. Returns
    /// when all have subscribed and published, and the instances of others are there. Error after
    /// the time limit.
    virtual void exchange_attributes(const std::vector<LinkAttribute>& published,
                                     const std::vector<LinkAttribute>& subscribed) = 0;
    /// Published attributes have these values at this time, the end of which is not announced yet.
    virtual void update(Time time, const std::vector<LinkValue>& values) = 0;
    /// What has come until the last end of a communication point was announced.
    virtual std::vector<LinkUpdate> take_updates() = 0;
};

/// Joins the federation by the RTI of this build. Throws Error if it has none, or if the RTI refuses.
std::unique_ptr<Link> open_link(const FederationSettings& settings, bool is_master);

/// As the master: waits until federates have claimed all units but its own. Each unit is claimed
/// once; who claims another one's is refused, and `refused` gets a message. Throws Error when the
/// time limit is over, InputError for units of its own that do not exist.
class RefusalReport {
public:
    virtual ~RefusalReport() = default;
    virtual void refused(const std::string& message) = 0;
};
std::unique_ptr<Federation> lead_federation(std::unique_ptr<Link> link,
                                            const FederationSettings& settings,
                                            const std::vector<std::string>& all_units,
                                            const std::string& offer, RefusalReport& report);

/// As a slave: waits until the master takes it. Throws Error when it does not.
std::unique_ptr<Federation> follow_federation(std::unique_ptr<Link> link,
                                              const FederationSettings& settings);

/// The name of a federate in its federation.
std::string federate_name(const FederationSettings& settings, bool is_master);

} // namespace rubato::distributed
