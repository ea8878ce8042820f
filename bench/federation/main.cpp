// SPDX-License-Identifier: Apache-2.0

// rubato_bench_federation ADDRESS: what exchanging values over an RTI costs, next to bare updates of
// an attribute with as many bytes by the same RTI. Two processes; the RTI runs at ADDRESS.

#include <rubato/distributed/federation.hpp>
#include <rubato/distributed/fom.hpp>
#include <rubato/private/format.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>

namespace rubato::bench {
namespace {

using distributed::Federation;
using distributed::FederationSettings;
using distributed::Link;

constexpr int exchanges = 4000, advances = 2000;
constexpr std::size_t payload = 16 * sizeof(double);
/// Of a frame, what is there besides the values: header, receiver and size.
constexpr std::size_t around = 41;

double per_second(int count, const std::function<void()>& once) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) once();
    const std::chrono::duration<double> span = std::chrono::steady_clock::now() - begin;
    return count / span.count();
}

class NoRefusals final : public distributed::RefusalReport {
public:
    void refused(const std::string&) override {}
};

/// Frames of one federate to the other and back, with nothing around them.
double bare_rate(Link& link) {
    const std::string hello = "h", values(payload + around, 'v');
    std::string frame;
    const auto receive = [&] {
        while (!link.take(frame)) link.wait(1);
    };
    while (frame != hello) { // until the other one is there
        link.send(hello.data(), hello.size());
        link.wait(0.1);
        (void)link.take(frame);
    }
    link.send(hello.data(), hello.size());
    return per_second(exchanges, [&] {
        link.send(values.data(), values.size());
        do receive();
        while (frame == hello);
    });
}

double bare_advances(Link& link) {
    int step = 0;
    return per_second(advances, [&] {
        constexpr double length = 0.125;
        link.request(++step * length, distributed::Advance::complete);
        while (link.is_advancing()) link.wait(1);
    });
}

double federation_rate(Federation& federation) {
    const engine::MessageSize other{1 - federation.rank(), payload};
    const auto messages = federation.open(std::span(&other, 1), std::span(&other, 1));
    return per_second(exchanges, [&] { messages->exchange(); });
}

double reduction_rate(Federation& federation) {
    double number = 1;
    return per_second(exchanges, [&] { federation.take_largest(std::span(&number, 1)); });
}

struct Rates {
    double bare = 0, bare_advances = 0, federation = 0, reductions = 0;
};

Rates measure(const std::string& address, bool is_master) {
    FederationSettings settings{.federation = format("bench-{}", ::getpgrp()),
                                .units = {is_master ? "one" : "other"},
                                .address = address,
                                .fom = distributed::federation_fom("bench", {})};
    Rates rates;
    {
        const auto link = open_link(settings, is_master);
        rates.bare = bare_rate(*link);
        rates.bare_advances = bare_advances(*link);
    }
    settings.federation += "-federation";
    NoRefusals report;
    auto link = open_link(settings, is_master);
    const auto federation =
        is_master ? lead_federation(std::move(link), settings, {"one", "other"}, "", report)
                  : follow_federation(std::move(link), settings);
    rates.federation = federation_rate(*federation);
    rates.reductions = reduction_rate(*federation);
    return rates;
}

void print(const Rates& rates) {
    std::puts(
        format("bare updates of an attribute, {} bytes, both ways    {:8.0f} per second\n"
               "exchange of {} bytes by the federation              {:8.0f} per second, {:.0f} % "
               "of the bare rate\n"
               "reduction of a decision                              {:8.0f} per second\n"
               "advance of logical time (TAR)                        {:8.0f} per second",
               payload + around, rates.bare, payload, rates.federation,
               100 * rates.federation / rates.bare, rates.reductions, rates.bare_advances)
            .c_str());
}

} // namespace
} // namespace rubato::bench

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: rubato_bench_federation ADDRESS, of an RTI: rti://127.0.0.1:14321\n",
                   stderr);
        return 2;
    }
    try {
        ::setpgid(0, 0);
        const pid_t child = ::fork();
        const auto rates = rubato::bench::measure(argv[1], child != 0);
        if (child == 0) return 0;
        ::waitpid(child, nullptr, 0);
        rubato::bench::print(rates);
        return 0;
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "%s\n", fault.what());
        return 1;
    }
}
