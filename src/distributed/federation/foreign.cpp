// SPDX-License-Identifier: Apache-2.0
#include <rubato/core/text.hpp>
#include <rubato/distributed/encoding.hpp>
#include <rubato/distributed/foreign.hpp>
#include <rubato/private/format.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace rubato::distributed {

using scenario::HlaPort;

namespace {

std::string name_of(const HlaPort& port) {
    return format("attribute {} of object instance \"{}\"", port.attribute, port.instance);
}

std::vector<LinkAttribute> attributes_of(const auto& all) {
    std::vector<LinkAttribute> result;
    for (const auto& each : all)
        result.push_back(
            {each.attribute->object_class, each.attribute->instance, each.attribute->attribute});
    return result;
}

/// A number as a variable of this type holds it; nullopt: it cannot.
std::optional<Value> as_variable(Value value, ValueType type) {
    if (const double* const real = std::get_if<double>(&value))
        return std::isfinite(*real) ? std::optional(value) : std::nullopt;
    if (type == ValueType::enumeration || !std::holds_alternative<std::int64_t>(value))
        return value;
    return scenario::convert(value, type);
}

} // namespace

ForeignExchange::ForeignExchange(Federation& federation, const scenario::System& system,
                                 std::vector<std::uint32_t> owners, Log& log)
    : federation_(federation), system_(system), owners_(std::move(owners)), log_(log) {
    require_one_owner();
    for (const HlaPort& input : system.hla_inputs)
        propagates_ = propagates_ || std::ranges::any_of(system.ports, [&](const auto& port) {
                          return std::ranges::count(port.feedthrough, input.port) > 0;
                      });
}

bool ForeignExchange::owns(const HlaPort& port) const {
    return owners_[system_.port(port.port).unit.value] == federation_.rank();
}

/// An object instance has one federate that registers it.
void ForeignExchange::require_one_owner() const {
    std::map<std::string, const HlaPort*> first;
    for (const HlaPort& output : system_.hla_outputs) {
        const HlaPort& other = *first.try_emplace(output.instance, &output).first->second;
        const auto owner = owners_[system_.port(output.port).unit.value];
        const auto others_owner = owners_[system_.port(other.port).unit.value];
        if (owner == others_owner) continue;
        throw InputError(format("object instance \"{}\" has attributes of {}, which {} has, and of "
                                "{}, which {} has",
                                output.instance, system_.name_of(other.port),
                                federation_.name_of(others_owner), system_.name_of(output.port),
                                federation_.name_of(owner)),
                         "one federate registers an instance: let it have both units, or give the "
                         "outputs instances of their own");
    }
}

auto ForeignExchange::mapped(const std::vector<HlaPort>& ports,
                             const engine::Simulation& simulation) const -> std::vector<Mapped> {
    std::vector<Mapped> result;
    for (const HlaPort& each : ports) {
        if (!owns(each)) continue;
        const scenario::Port& port = system_.port(each.port);
        result.push_back(
            {&each, &simulation.unit(port.unit), port.reference, port.type, std::nullopt});
    }
    return result;
}

void ForeignExchange::attach(engine::Simulation& simulation, const std::atomic<bool>* stop) {
    if (std::exchange(is_attached_, true))
        throw Error("the run would have to start over, but federates of other tools cannot go back",
                    "can-reject-step: true makes the run save the unit before each step");
    outputs_ = mapped(system_.hla_outputs, simulation);
    inputs_ = mapped(system_.hla_inputs, simulation);
    federation_.heed(stop);
    federation_.exchange_attributes(attributes_of(outputs_), attributes_of(inputs_));
    simulation.take_inputs_from(*this);
}

// -- inputs ---------------------------------------------------------------------------------------

/// All of them each time: the unit may have been restored to where it had other values.
bool ForeignExchange::move_to(Time /*now*/) {
    for (const LinkUpdate& update : federation_.take_updates()) take(update);
    for (const Mapped& input : inputs_)
        if (input.value) set(input);
    return propagates_;
}

void ForeignExchange::take(const LinkUpdate& update) {
    Mapped& input = inputs_.at(update.value.attribute);
    const std::string& unit = input.unit->name();
    if (update.is_removed) {
        log_.write(LogLevel::warning, unit,
                   format("{} is gone: the input {} keeps its value", name_of(*input.attribute),
                          system_.name_of(input.attribute->port)));
        return;
    }
    const auto decoded = decode_value(input.attribute->encoding, update.value.bytes);
    if (!decoded)
        throw Error(format("{}: {} bytes are no {}", name_of(*input.attribute),
                           update.value.bytes.size(), to_string(input.attribute->encoding)),
                    "all federates need the same FOM: rubato fom writes it");
    input.value = as_variable(*decoded, input.type);
    if (!input.value)
        throw Error(format("{} is {}, which input {} cannot be", name_of(*input.attribute),
                           rubato::to_string(*decoded), system_.name_of(input.attribute->port)));
}

void ForeignExchange::set(const Mapped& input) {
    std::visit(
        [&](auto value) {
            input.unit->set({input.type, {&input.reference, 1}, &value, 1});
        },
        *input.value);
}

// -- outputs --------------------------------------------------------------------------------------

Value ForeignExchange::read(const Mapped& output) {
    return with_type_of(storage_of(output.type), [&]<class T>() -> Value {
        T value{};
        output.unit->get({output.type, {&output.reference, 1}, &value, 1});
        return value;
    });
}

/// A communication point that is reached twice, since a step has ended where it began, has been
/// published: what has changed is published with the next one.
void ForeignExchange::end_point(Time now) {
    if (last_published_ && now <= *last_published_) return;
    last_published_ = now;
    std::vector<LinkValue> values;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        const Mapped& output = outputs_[i];
        const Value value = read(output);
        const std::int64_t* const integer = std::get_if<std::int64_t>(&value);
        auto bytes = encode_value(output.attribute->encoding, value);
        if (!bytes || (output.type == ValueType::uint64 && *integer < 0))
            throw Error(format("output {} is {} at t = {} s, which {} cannot hold",
                               system_.name_of(output.attribute->port),
                               rubato::to_string(value, output.type), shortest(now.seconds),
                               to_string(output.attribute->encoding)),
                        "choose another encoding in the section hla");
        values.push_back({i, std::move(*bytes)});
    }
    federation_.update(now, values);
}

} // namespace rubato::distributed
