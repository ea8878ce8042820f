// SPDX-License-Identifier: Apache-2.0
// clang-format off: headers of RTIs use std::auto_ptr, and may not include it
#include <memory>
// clang-format on
#include <rubato/distributed/link.hpp>

#include <RTI/NullFederateAmbassador.h>
#include <RTI/RTIambassador.h>
#include <RTI/RTIambassadorFactory.h>
#include <RTI/time/HLAfloat64Interval.h>
#include <RTI/time/HLAfloat64Time.h>

#include <codecvt>
#include <deque>
#include <locale>

// C++14, as the headers of RTIs are.

namespace rubato {
namespace distributed {
namespace {

using Utf8 = std::wstring_convert<std::codecvt_utf8<wchar_t>>;
std::wstring wide(const std::string& text) { return Utf8().from_bytes(text); }
std::string narrow(const std::wstring& text) { return Utf8().to_bytes(text); }

/// What the RTI calls back, in `evokeCallback`: it is kept until somebody asks for it. `noexcept`
/// satisfies the exception specifications of the standard's headers.
class Ambassador : public rti1516e::NullFederateAmbassador {
public:
    std::deque<std::string> frames;
    rti1516e::AttributeHandle frame_attribute;
    bool is_regulating = false, is_constrained = false, is_advancing = false;
    bool is_lost = false;
    std::string lost_reason;

private:
    void keep(const rti1516e::AttributeHandleValueMap& values) {
        const auto found = values.find(frame_attribute);
        if (found == values.end()) return;
        frames.emplace_back(static_cast<const char*>(found->second.data()), found->second.size());
    }

    void reflectAttributeValues(rti1516e::ObjectInstanceHandle,
                                const rti1516e::AttributeHandleValueMap& values,
                                const rti1516e::VariableLengthData&, rti1516e::OrderType,
                                rti1516e::TransportationType,
                                rti1516e::SupplementalReflectInfo) noexcept override {
        keep(values);
    }
    void timeRegulationEnabled(const rti1516e::LogicalTime&) noexcept override {
        is_regulating = true;
    }
    void timeConstrainedEnabled(const rti1516e::LogicalTime&) noexcept override {
        is_constrained = true;
    }
    void timeAdvanceGrant(const rti1516e::LogicalTime&) noexcept override { is_advancing = false; }
    void connectionLost(const std::wstring& reason) noexcept override {
        is_lost = true;
        lost_reason = narrow(reason);
    }
};

/// Calls the RTI; what it throws becomes a LinkError.
template <class Call>
void calling(const char* what, Call&& call) {
    try {
        call();
    } catch (const rti1516e::Exception& fault) {
        throw LinkError(std::string(what) + ": " + narrow(fault.what()));
    }
}

class RtiLink final : public Link {
public:
    explicit RtiLink(const LinkSettings& settings) : settings_(settings) {
        calling("the RTI cannot be reached", [&] {
            rti_ = rti1516e::RTIambassadorFactory().createRTIambassador();
            rti_->connect(callbacks_, rti1516e::HLA_EVOKED, wide(settings.address));
        });
        is_connected_ = true;
        try {
            join();
            declare();
            manage_time();
        } catch (...) {
            leave_quietly();
            throw;
        }
    }
    ~RtiLink() override { leave_quietly(); }
    RtiLink(const RtiLink&) = delete;
    RtiLink& operator=(const RtiLink&) = delete;

    void send(const char* bytes, std::size_t size) override {
        require_connection();
        calling("updateAttributeValues", [&] {
            rti1516e::AttributeHandleValueMap values;
            values[callbacks_.frame_attribute] = rti1516e::VariableLengthData(bytes, size);
            rti_->updateAttributeValues(instance_, values, rti1516e::VariableLengthData());
        });
    }
    void wait(double seconds) override {
        require_connection();
        calling("evokeCallback", [&] { rti_->evokeCallback(seconds); });
        require_connection();
    }
    bool take(std::string& frame) override {
        if (callbacks_.frames.empty()) return false;
        frame = std::move(callbacks_.frames.front());
        callbacks_.frames.pop_front();
        return true;
    }
    void request(double time, Advance how) override {
        require_connection();
        callbacks_.is_advancing = true;
        const rti1516e::HLAfloat64Time to(time);
        calling("the time cannot be advanced", [&] {
            if (how == Advance::available)
                rti_->timeAdvanceRequestAvailable(to);
            else
                rti_->timeAdvanceRequest(to);
        });
    }
    bool is_advancing() const override { return callbacks_.is_advancing; }

    void leave() override {
        if (is_joined_) {
            is_joined_ = false;
            calling("the federation cannot be left", [&] {
                rti_->resignFederationExecution(rti1516e::CANCEL_THEN_DELETE_THEN_DIVEST);
            });
            destroy();
        }
        if (is_connected_) {
            is_connected_ = false;
            calling("disconnect", [&] { rti_->disconnect(); });
        }
    }

private:
    /// Whoever comes first creates the federation. The last federate of an earlier run may destroy
    /// it before this one has joined: then it is created again.
    void join() {
        constexpr int most_attempts = 10;
        for (int attempt = 1; !is_joined_; ++attempt) {
            create();
            calling("the federation cannot be joined", [&] {
                try {
                    rti_->joinFederationExecution(wide(settings_.federate), L"Rubato",
                                                  wide(settings_.federation));
                    is_joined_ = true;
                } catch (const rti1516e::FederationExecutionDoesNotExist&) {
                    if (attempt == most_attempts) throw;
                }
            });
        }
    }
    void create() {
        calling("the federation cannot be created", [&] {
            try {
                rti_->createFederationExecution(wide(settings_.federation),
                                                wide(settings_.fom_file), L"HLAfloat64Time");
            } catch (const rti1516e::FederationExecutionAlreadyExists&) { // NOLINT
            }
        });
    }

    void declare() {
        calling("the FOM of the federation has no class RubatoFederate", [&] {
            const auto type = rti_->getObjectClassHandle(L"HLAobjectRoot.RubatoFederate");
            callbacks_.frame_attribute = rti_->getAttributeHandle(type, L"Frame");
            rti1516e::AttributeHandleSet attributes;
            attributes.insert(callbacks_.frame_attribute);
            rti_->publishObjectClassAttributes(type, attributes);
            rti_->subscribeObjectClassAttributes(type, attributes);
            instance_ = rti_->registerObjectInstance(type);
        });
    }

    /// Frames come in the order of receipt, at any time: they are not bound to logical time.
    void manage_time() {
        calling("the RTI refuses to manage time", [&] {
            rti_->enableAsynchronousDelivery();
            rti_->enableTimeRegulation(rti1516e::HLAfloat64Interval(0));
            while (!callbacks_.is_regulating) wait_once();
            rti_->enableTimeConstrained();
            while (!callbacks_.is_constrained) wait_once();
        });
    }
    void wait_once() {
        constexpr double most_seconds = 30, slice = 0.1;
        waited_ += slice;
        if (waited_ > most_seconds) throw LinkError("the RTI does not answer");
        rti_->evokeCallback(slice);
        require_connection();
    }

    void require_connection() const {
        if (callbacks_.is_lost)
            throw LinkError("the connection to the RTI is lost: " + callbacks_.lost_reason);
        if (!is_connected_) throw LinkError("the federation has been left");
    }

    /// Others may still be there: the last one destroys it.
    void destroy() {
        try {
            rti_->destroyFederationExecution(wide(settings_.federation));
        } catch (const rti1516e::Exception&) { // NOLINT(bugprone-empty-catch)
        }
    }
    void leave_quietly() noexcept {
        try {
            leave();
        } catch (...) { // NOLINT(bugprone-empty-catch): there is nothing left to leave
        }
    }

    const LinkSettings settings_;
    Ambassador callbacks_; ///< outlives the RTI's ambassador
    decltype(rti1516e::RTIambassadorFactory().createRTIambassador()) rti_;
    rti1516e::ObjectInstanceHandle instance_;
    double waited_ = 0;
    bool is_connected_ = false, is_joined_ = false;
};

} // namespace
} // namespace distributed
} // namespace rubato

/// A federate of the federation; null: `problem` says why not.
extern "C" __attribute__((visibility("default"))) rubato::distributed::Link*
rubato_open_link(const rubato::distributed::LinkSettings& settings, const char** problem) {
    static std::string text;
    try {
        return new rubato::distributed::RtiLink(settings);
    } catch (const std::exception& fault) {
        text = fault.what();
        *problem = text.c_str();
        return nullptr;
    }
}
