// SPDX-License-Identifier: Apache-2.0
#include "fingerprint.hpp"

#include <rubato/core/hash.hpp>

#include <cstring>
#include <memory>
#include <string_view>

namespace rubato::model {

namespace {

std::uint64_t bits_of(double number) {
    std::uint64_t bits = 0;
    static_assert(sizeof bits == sizeof number);
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

bool is_member(Role role) { return role <= Role::clock; }

void add_clock(Hash& hash, const VariableType& variable) {
    hash.add(std::uint64_t{variable.clock.has_value()});
    for (const ValueRef clock : variable.clocks) hash.add(std::uint64_t{clock});
    if (!variable.clock) return;
    hash.add(static_cast<std::uint64_t>(variable.clock->kind));
    hash.add(std::uint64_t{variable.interval.value_or(0)});
    hash.add(variable.resolution);
    const ClockPeriod period = variable.clock->period.value_or(ClockPeriod{});
    hash.add(bits_of(period.interval));
    hash.add(bits_of(period.shift));
    hash.add(period.resolution);
    hash.add(period.interval_counter);
    hash.add(period.shift_counter);
}

void add_variables(Hash& hash, const ModelType& type, const char* start) {
    for (const VariableType& variable : type.variables) {
        hash.add(variable.name);
        hash.add(variable.unit);
        hash.add(variable.description);
        for (const ValueRef input : variable.feedthrough) hash.add(std::uint64_t{input});
        hash.add(std::uint64_t{variable.driven_by.has_value()});
        if (variable.driven_by)
            for (const std::uint32_t offset : *variable.driven_by) hash.add(std::uint64_t{offset});
        hash.add(static_cast<std::uint64_t>(variable.type));
        hash.add(static_cast<std::uint64_t>(variable.role));
        hash.add(std::uint64_t{variable.is_output});
        hash.add(std::uint64_t{variable.offset});
        add_clock(hash, variable);
        if (is_member(variable.role))
            hash.add(std::string_view(start + variable.offset,
                                      std::size_t{variable.stride} * variable.capacity));
        for (const std::uint32_t size : variable.shape) hash.add(std::uint64_t{size});
        for (const std::uint32_t offset : variable.sizes) hash.add(std::uint64_t{offset});
        for (const std::string& item : variable.items) hash.add(item);
    }
}

std::uint64_t hash_of(const ModelType& type, const char* start, std::uint64_t basis) {
    Hash hash(basis);
    hash.add(type.name);
    hash.add(type.description);
    hash.add(bits_of(type.experiment.start));
    hash.add(bits_of(type.experiment.stop));
    hash.add(bits_of(type.experiment.step.value_or(0)));
    hash.add(static_cast<std::uint64_t>(type.solver));
    hash.add(bits_of(type.inner_step));
    hash.add(std::uint64_t{type.layout.saved});
    hash.add(std::uint64_t{type.longest_step != nullptr});
    hash.add(std::uint64_t{type.crossing_count});
    hash.add(std::uint64_t{type.event != nullptr});
    hash.add(std::uint64_t{type.event_mode});
    hash.add(std::uint64_t{type.variations != nullptr});
    hash.add(std::uint64_t{type.derivatives_depend_on_time});
    add_variables(hash, type, start);
    return hash.value();
}

} // namespace

std::string identifier_of(const ModelType& type) {
    const auto start = std::make_unique<char[]>(type.size);
    type.construct(start.get());
    return guid([&](std::uint64_t basis) { return hash_of(type, start.get(), basis); });
}

} // namespace rubato::model
