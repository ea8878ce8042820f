// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

#include <rubato/model/declare.hpp>

namespace {

struct Sample {
    double k = 1, u = 0;
    bool gate = true;
    float level = 0.5F;
    std::int8_t small = -1;
    std::uint8_t byte = 1;
    std::int16_t word = 2;
    std::int64_t large = 3;
    std::uint64_t huge = 4;
    double y = 0, doubled = 0;
    double limit = 100;

    static void declare(rubato::model::Declaration<Sample>& model) {
        model.solver(rubato::model::Solver::euler);
        model.parameter(&Sample::k, "k", "1/s", "rate");
        model.input(&Sample::u, "u", "", "");
        model.input(&Sample::gate, "gate", "", "");
        model.input(&Sample::level, "level", "", "");
        model.input(&Sample::small, "small", "", "");
        model.input(&Sample::byte, "byte", "", "");
        model.input(&Sample::word, "word", "", "");
        model.input(&Sample::large, "large", "", "");
        model.input(&Sample::huge, "huge", "", "");
        model.state(&Sample::y, "y", "", "").given_out();
        model.output(&Sample::doubled, "doubled", "", "").fed_by(&Sample::u);
        model.parameter(&Sample::limit, "limit", "s", "longest step");
    }
    void derivatives(Sample& der) const { der.y = gate ? k * (u - y) : 0; }
    void outputs() { doubled = 2 * u; }
    void variations(const Sample& d, Sample& result) const {
        result.y = gate ? k * (d.u - d.y) : 0;
        result.doubled = 2 * d.u;
    }
    double longest_step() const { return limit; }
};

RUBATO_MODEL(sample, Sample)

} // namespace

const rubato::model::ModelType& rubato::model::exported_model() { return rubato_model_sample(); }
