// SPDX-License-Identifier: Apache-2.0
#pragma once
// clang-format off: headers of RTIs use std::auto_ptr, and may not include it
#include <memory>
// clang-format on
#include <rubato/distributed/link.hpp>

#include <RTI/NullFederateAmbassador.h>

#include <codecvt>
#include <deque>
#include <locale>
#include <set>
#include <string>
#include <utility>
#include <vector>

// C++14, as the headers of RTIs are.

namespace rubato {
namespace distributed {

using Utf8 = std::wstring_convert<std::codecvt_utf8<wchar_t>>;
inline std::wstring wide(const std::string& text) { return Utf8().from_bytes(text); }
inline std::string narrow(const std::wstring& text) { return Utf8().to_bytes(text); }

/// An attribute that this federate publishes or subscribes, as the RTI knows it.
struct Attribute {
    LinkAttribute named;
    rti1516e::ObjectClassHandle type;
    rti1516e::AttributeHandle handle;
    rti1516e::ObjectInstanceHandle instance;
    bool is_there = false; ///< its instance is
};

/// What the RTI calls back, in `evokeCallback`: it is kept until somebody asks for it. `noexcept`
/// satisfies the exception specifications of the standard's headers.
class Ambassador : public rti1516e::NullFederateAmbassador {
public:
    std::deque<std::string> frames;
    rti1516e::AttributeHandle frame_attribute;
    std::vector<Attribute> subscribed;
    std::deque<LinkUpdate> updates;
    std::set<std::wstring> reserved, refused; ///< names of instances
    bool is_regulating = false, is_constrained = false, is_advancing = false;
    bool is_lost = false;
    std::string lost_reason;

private:
    void keep(const rti1516e::AttributeHandleValueMap& values) {
        const auto found = values.find(frame_attribute);
        if (found == values.end()) return;
        frames.emplace_back(static_cast<const char*>(found->second.data()), found->second.size());
    }
    /// Values with a time stamp come in its order, before that time is granted.
    void keep(const rti1516e::ObjectInstanceHandle& instance,
              const rti1516e::AttributeHandleValueMap& values) {
        for (std::size_t i = 0; i < subscribed.size(); ++i) {
            const Attribute& each = subscribed[i];
            if (!each.is_there || each.instance != instance) continue;
            const auto found = values.find(each.handle);
            if (found == values.end()) continue;
            LinkUpdate update;
            update.value.attribute = i;
            update.value.bytes.assign(static_cast<const char*>(found->second.data()),
                                      found->second.size());
            updates.push_back(std::move(update));
        }
    }
    void discover(const rti1516e::ObjectInstanceHandle& instance,
                  const rti1516e::ObjectClassHandle& type, const std::wstring& name) {
        const std::string plain = narrow(name);
        for (Attribute& each : subscribed) {
            if (each.named.instance != plain || each.type != type) continue;
            each.instance = instance;
            each.is_there = true;
        }
    }
    void remove(const rti1516e::ObjectInstanceHandle& instance) {
        for (std::size_t i = 0; i < subscribed.size(); ++i) {
            Attribute& each = subscribed[i];
            if (!each.is_there || each.instance != instance) continue;
            each.is_there = false;
            LinkUpdate update;
            update.value.attribute = i;
            update.is_removed = true;
            updates.push_back(std::move(update));
        }
    }

    void reflectAttributeValues(rti1516e::ObjectInstanceHandle instance,
                                const rti1516e::AttributeHandleValueMap& values,
                                const rti1516e::VariableLengthData&, rti1516e::OrderType,
                                rti1516e::TransportationType,
                                rti1516e::SupplementalReflectInfo) noexcept override {
        keep(values);
        keep(instance, values);
    }
    void reflectAttributeValues(rti1516e::ObjectInstanceHandle instance,
                                const rti1516e::AttributeHandleValueMap& values,
                                const rti1516e::VariableLengthData&, rti1516e::OrderType,
                                rti1516e::TransportationType, const rti1516e::LogicalTime&,
                                rti1516e::OrderType,
                                rti1516e::SupplementalReflectInfo) noexcept override {
        keep(instance, values);
    }
    void reflectAttributeValues(rti1516e::ObjectInstanceHandle instance,
                                const rti1516e::AttributeHandleValueMap& values,
                                const rti1516e::VariableLengthData&, rti1516e::OrderType,
                                rti1516e::TransportationType, const rti1516e::LogicalTime&,
                                rti1516e::OrderType, rti1516e::MessageRetractionHandle,
                                rti1516e::SupplementalReflectInfo) noexcept override {
        keep(instance, values);
    }
    void discoverObjectInstance(rti1516e::ObjectInstanceHandle instance,
                                rti1516e::ObjectClassHandle type,
                                const std::wstring& name) noexcept override {
        discover(instance, type, name);
    }
    void discoverObjectInstance(rti1516e::ObjectInstanceHandle instance,
                                rti1516e::ObjectClassHandle type, const std::wstring& name,
                                rti1516e::FederateHandle) noexcept override {
        discover(instance, type, name);
    }
    void removeObjectInstance(rti1516e::ObjectInstanceHandle instance,
                              const rti1516e::VariableLengthData&, rti1516e::OrderType,
                              rti1516e::SupplementalRemoveInfo) noexcept override {
        remove(instance);
    }
    void removeObjectInstance(rti1516e::ObjectInstanceHandle instance,
                              const rti1516e::VariableLengthData&, rti1516e::OrderType,
                              const rti1516e::LogicalTime&, rti1516e::OrderType,
                              rti1516e::SupplementalRemoveInfo) noexcept override {
        remove(instance);
    }
    void removeObjectInstance(rti1516e::ObjectInstanceHandle instance,
                              const rti1516e::VariableLengthData&, rti1516e::OrderType,
                              const rti1516e::LogicalTime&, rti1516e::OrderType,
                              rti1516e::MessageRetractionHandle,
                              rti1516e::SupplementalRemoveInfo) noexcept override {
        remove(instance);
    }
    void objectInstanceNameReservationSucceeded(const std::wstring& name) noexcept override {
        reserved.insert(name);
    }
    void objectInstanceNameReservationFailed(const std::wstring& name) noexcept override {
        refused.insert(name);
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

} // namespace distributed
} // namespace rubato
