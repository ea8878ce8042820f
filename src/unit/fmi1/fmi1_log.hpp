// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../unit_log.hpp"

#include <rubato/fmi/fmi1.hpp>

#include <string>

namespace rubato::unit {

/// What the logger of an FMI 1.0 instance writes to. That logger is handed nothing of the
/// importer's, only the instance and its name, and some FMUs hand over no instance: so all logs of
/// the process are kept in one list, where the logger finds its own by the one or the other.
class Fmi1Log {
public:
    Fmi1Log(Log& log, std::string unit);
    ~Fmi1Log();
    Fmi1Log(const Fmi1Log&) = delete;
    Fmi1Log& operator=(const Fmi1Log&) = delete;

    /// The instance is known once it has been made.
    void belongs_to(fmi1::Component component);

    std::string take_error() { return log_.take_error(); }

    UnitLog& messages() { return log_; }

    static fmi1::Logger logger;

private:
    static Fmi1Log* find(fmi1::Component component, fmi1::String name);

    std::string unit_;
    fmi1::Component component_ = nullptr;
    UnitLog log_;
};

} // namespace rubato::unit
