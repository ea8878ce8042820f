// SPDX-License-Identifier: Apache-2.0

// A federate of another tool: a sampled controller. It uses the API of the RTI and the FOM, and knows
// nothing of Rubato. It subscribes to Plant.position and Plant.speed of the instance "plant", and
// publishes Controller.force of the instance "controller".
//
// foreign_federate ADDRESS FEDERATION FOM MODE PERIOD STOP
//
//   immediate  samples at n·PERIOD by TARA with zero lookahead, and answers for that same time
//   delayed    samples at n·PERIOD by TAR, and answers for (n + 1)·PERIOD
//   bad        sends three bytes as a force
//   leaves     as delayed, but leaves after two samples
//
// Prints what it sees: time, time stamp of the position, position, speed.

// clang-format off: headers of RTIs use std::auto_ptr, and may not include it
#include <memory>
// clang-format on
#include <RTI/NullFederateAmbassador.h>
#include <RTI/RTIambassador.h>
#include <RTI/RTIambassadorFactory.h>
#include <RTI/encoding/BasicDataElements.h>
#include <RTI/time/HLAfloat64Interval.h>
#include <RTI/time/HLAfloat64Time.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace rti1516e; // NOLINT(google-build-using-namespace): this is all that it uses

class Ambassador : public NullFederateAmbassador {
public:
    AttributeHandle position_attribute, speed_attribute;
    double position = 0, stamp = -1;
    float speed = 0;
    bool is_regulating = false, is_constrained = false, is_advancing = false;
    bool is_reserved = false, sees_plant = false;

private:
    void take(const AttributeHandleValueMap& values, const LogicalTime& time) {
        const auto found = values.find(position_attribute);
        if (found == values.end()) return;
        HLAfloat64BE real;
        real.decode(found->second);
        position = real.get();
        HLAfloat32LE small;
        small.decode(values.at(speed_attribute));
        speed = small.get();
        stamp = dynamic_cast<const HLAfloat64Time&>(time).getTime();
    }
    void reflectAttributeValues(ObjectInstanceHandle, const AttributeHandleValueMap& values,
                                const VariableLengthData&, OrderType, TransportationType,
                                const LogicalTime& time, OrderType,
                                SupplementalReflectInfo) noexcept override {
        take(values, time);
    }
    void reflectAttributeValues(ObjectInstanceHandle, const AttributeHandleValueMap& values,
                                const VariableLengthData&, OrderType, TransportationType,
                                const LogicalTime& time, OrderType, MessageRetractionHandle,
                                SupplementalReflectInfo) noexcept override {
        take(values, time);
    }
    void discoverObjectInstance(ObjectInstanceHandle, ObjectClassHandle,
                                const std::wstring& name) noexcept override {
        sees_plant = sees_plant || name == L"plant";
    }
    void discoverObjectInstance(ObjectInstanceHandle, ObjectClassHandle, const std::wstring& name,
                                FederateHandle) noexcept override {
        sees_plant = sees_plant || name == L"plant";
    }
    void objectInstanceNameReservationSucceeded(const std::wstring&) noexcept override {
        is_reserved = true;
    }
    void timeRegulationEnabled(const LogicalTime&) noexcept override { is_regulating = true; }
    void timeConstrainedEnabled(const LogicalTime&) noexcept override { is_constrained = true; }
    void timeAdvanceGrant(const LogicalTime&) noexcept override { is_advancing = false; }
};

class Controller {
public:
    Controller(const std::wstring& address, std::wstring federation, const std::wstring& fom,
               double lookahead)
        : federation_(std::move(federation)) {
        rti_ = RTIambassadorFactory().createRTIambassador();
        rti_->connect(seen_, HLA_EVOKED, address);
        try {
            rti_->createFederationExecution(federation_, fom, L"HLAfloat64Time");
        } catch (const FederationExecutionAlreadyExists&) { // NOLINT(bugprone-empty-catch)
        }
        rti_->joinFederationExecution(L"controller", L"Controller", federation_);
        rti_->enableTimeRegulation(HLAfloat64Interval(lookahead));
        wait_for(seen_.is_regulating, true);
        rti_->enableTimeConstrained();
        wait_for(seen_.is_constrained, true);
        declare();
    }

    void advance(double time, bool is_complete) {
        seen_.is_advancing = true;
        if (is_complete)
            rti_->timeAdvanceRequest(HLAfloat64Time(time));
        else
            rti_->timeAdvanceRequestAvailable(HLAfloat64Time(time));
        wait_for(seen_.is_advancing, false);
    }
    void send(double time, const VariableLengthData& bytes) {
        AttributeHandleValueMap values;
        values[force_] = bytes;
        rti_->updateAttributeValues(instance_, values, VariableLengthData(), HLAfloat64Time(time));
    }
    void leave() {
        rti_->resignFederationExecution(DELETE_OBJECTS_THEN_DIVEST);
        try {
            rti_->destroyFederationExecution(federation_);
        } catch (const Exception&) { // NOLINT(bugprone-empty-catch): others are still there
        }
        rti_->disconnect();
    }
    const Ambassador& seen() const { return seen_; }

private:
    void declare() {
        const auto plant = rti_->getObjectClassHandle(L"HLAobjectRoot.Plant");
        seen_.position_attribute = rti_->getAttributeHandle(plant, L"position");
        seen_.speed_attribute = rti_->getAttributeHandle(plant, L"speed");
        AttributeHandleSet wanted;
        wanted.insert(seen_.position_attribute);
        wanted.insert(seen_.speed_attribute);
        rti_->subscribeObjectClassAttributes(plant, wanted);
        const auto own = rti_->getObjectClassHandle(L"HLAobjectRoot.Controller");
        force_ = rti_->getAttributeHandle(own, L"force");
        AttributeHandleSet given;
        given.insert(force_);
        rti_->publishObjectClassAttributes(own, given);
        rti_->reserveObjectInstanceName(L"controller");
        wait_for(seen_.is_reserved, true);
        instance_ = rti_->registerObjectInstance(own, L"controller");
        wait_for(seen_.sees_plant, true);
    }
    void wait_for(const bool& flag, bool wanted) {
        constexpr double slice = 0.1;
        constexpr int most = 3000; // five minutes
        for (int i = 0; flag != wanted; ++i) {
            if (i > most) throw RTIinternalError(L"the federate has waited for too long");
            rti_->evokeCallback(slice);
        }
    }

    const std::wstring federation_;
    Ambassador seen_;
    decltype(RTIambassadorFactory().createRTIambassador()) rti_;
    AttributeHandle force_;
    ObjectInstanceHandle instance_;
};

/// u = kp e + i, e = 0.5 - y, i grows by ki T e.
struct Law {
    double integral = 0;
    double answer(double y, double period) {
        const double kp = 1.5, ki = 2, reference = 0.5;
        const double error = reference - y;
        integral += ki * period * error;
        return kp * error + integral;
    }
};

void run(Controller& controller, const std::string& mode, double period, double stop) {
    const bool is_immediate = mode == "immediate";
    Law law;
    for (int n = 0; n * period <= stop; ++n) {
        const double now = n * period;
        const Ambassador& seen = controller.seen();
        do controller.advance(now, !is_immediate);
        while (is_immediate && seen.stamp < now); // others may send for this time after the grant
        std::printf("%.17g %.17g %.17g %.9g\n", now, seen.stamp, seen.position,
                    static_cast<double>(seen.speed));
        if (mode == "leaves" && n == 2) return;
        const HLAfloat64BE force(law.answer(seen.position, period));
        const VariableLengthData bytes =
            mode == "bad" ? VariableLengthData("abc", 3) : force.encode();
        controller.send(is_immediate ? now : (n + 1) * period, bytes);
    }
    controller.advance(stop + period, true);
}

std::wstring wide(const char* text) { return {text, text + std::string(text).size()}; }

} // namespace

int main(int count, char** arguments) {
    constexpr int wanted = 7;
    if (count != wanted) return 2;
    const std::string mode = arguments[4];
    const double period = std::atof(arguments[5]), stop = std::atof(arguments[6]);
    try {
        Controller controller(wide(arguments[1]), wide(arguments[2]), wide(arguments[3]),
                              mode == "immediate" ? 0 : period / 2);
        run(controller, mode, period, stop);
        controller.leave();
    } catch (const Exception& fault) {
        std::fprintf(stderr, "%ls\n", fault.what().c_str());
        return 1;
    }
    return 0;
}
