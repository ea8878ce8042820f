// SPDX-License-Identifier: Apache-2.0
#include "ambassador.hpp"

#include <RTI/RTIambassador.h>
#include <RTI/RTIambassadorFactory.h>
#include <RTI/time/HLAfloat64Interval.h>
#include <RTI/time/HLAfloat64Time.h>

#include <chrono>
#include <map>

// C++14, as the headers of RTIs are.

namespace rubato {
namespace distributed {
namespace {

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

    void subscribe(const std::vector<LinkAttribute>& attributes) override {
        require_connection();
        callbacks_.subscribed = found(attributes);
        for (const auto& each : by_class(callbacks_.subscribed))
            calling("subscribeObjectClassAttributes",
                    [&] { rti_->subscribeObjectClassAttributes(each.first, each.second); });
    }
    void publish(const std::vector<LinkAttribute>& attributes) override {
        require_connection();
        published_ = found(attributes);
        for (const auto& each : by_class(published_))
            calling("publishObjectClassAttributes",
                    [&] { rti_->publishObjectClassAttributes(each.first, each.second); });
        std::map<std::string, rti1516e::ObjectInstanceHandle> instances;
        for (Attribute& each : published_) {
            if (instances.count(each.named.instance) == 0)
                instances[each.named.instance] = registered(each);
            each.instance = instances[each.named.instance];
        }
    }
    std::string missing_instance() const override {
        for (const Attribute& each : callbacks_.subscribed)
            if (!each.is_there) return each.named.instance;
        return {};
    }
    void update(double time, const std::vector<LinkValue>& values) override {
        require_connection();
        std::map<rti1516e::ObjectInstanceHandle, rti1516e::AttributeHandleValueMap> by_instance;
        for (const LinkValue& value : values) {
            const Attribute& attribute = published_.at(value.attribute);
            by_instance[attribute.instance][attribute.handle] =
                rti1516e::VariableLengthData(value.bytes.data(), value.bytes.size());
        }
        for (const auto& each : by_instance)
            calling("updateAttributeValues", [&] {
                rti_->updateAttributeValues(each.first, each.second, rti1516e::VariableLengthData(),
                                            rti1516e::HLAfloat64Time(time));
            });
    }
    bool take_update(LinkUpdate& update) override {
        if (callbacks_.updates.empty()) return false;
        update = std::move(callbacks_.updates.front());
        callbacks_.updates.pop_front();
        return true;
    }

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
                    rti_->joinFederationExecution(
                        wide(settings_.federate), L"Rubato", wide(settings_.federation),
                        std::vector<std::wstring>(1, wide(settings_.fom_file)));
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

    std::vector<Attribute> found(const std::vector<LinkAttribute>& attributes) {
        std::vector<Attribute> result;
        for (const LinkAttribute& each : attributes) {
            const std::string name = each.object_class + "." + each.attribute;
            calling(("the FOM of the federation has no attribute " + name).c_str(), [&] {
                Attribute attribute;
                attribute.named = each;
                attribute.type =
                    rti_->getObjectClassHandle(L"HLAobjectRoot." + wide(each.object_class));
                attribute.handle = rti_->getAttributeHandle(attribute.type, wide(each.attribute));
                result.push_back(std::move(attribute));
            });
        }
        return result;
    }
    static std::map<rti1516e::ObjectClassHandle, rti1516e::AttributeHandleSet>
    by_class(const std::vector<Attribute>& attributes) {
        std::map<rti1516e::ObjectClassHandle, rti1516e::AttributeHandleSet> result;
        for (const Attribute& each : attributes) result[each.type].insert(each.handle);
        return result;
    }
    /// A new instance with the name that others know.
    rti1516e::ObjectInstanceHandle registered(const Attribute& attribute) {
        const std::wstring name = wide(attribute.named.instance);
        rti1516e::ObjectInstanceHandle instance;
        const std::string problem =
            "the object instance \"" + attribute.named.instance + "\" cannot be registered";
        calling(problem.c_str(), [&] {
            rti_->reserveObjectInstanceName(name);
            wait_until([&] {
                return callbacks_.reserved.count(name) + callbacks_.refused.count(name) > 0;
            });
            if (callbacks_.refused.count(name) > 0)
                throw LinkError(problem + ": another federate has an instance of that name");
            instance = rti_->registerObjectInstance(attribute.type, name);
        });
        return instance;
    }

    /// Frames come in the order of receipt, at any time: they are not bound to logical time.
    void manage_time() {
        calling("the RTI refuses to manage time", [&] {
            rti_->enableAsynchronousDelivery();
            rti_->enableTimeRegulation(rti1516e::HLAfloat64Interval(0));
            wait_until([&] { return callbacks_.is_regulating; });
            rti_->enableTimeConstrained();
            wait_until([&] { return callbacks_.is_constrained; });
        });
    }
    template <class Condition>
    void wait_until(Condition&& is_true) {
        constexpr double slice = 0.1; // [s]
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!is_true()) {
            if (std::chrono::steady_clock::now() > deadline)
                throw LinkError("the RTI does not answer");
            rti_->evokeCallback(slice);
            require_connection();
        }
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
    std::vector<Attribute> published_;
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
