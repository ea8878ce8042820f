// SPDX-License-Identifier: Apache-2.0
#include <rubato/model/declare.hpp>

namespace {

using rubato::model::Bytes;
using rubato::model::Declaration;
using rubato::model::Text;

enum class Mode : std::int64_t { stop = 1, run = 2, coast = 3 };

/// Gives out what goes in, of every type.
struct Feedthrough {
    double float64_in = 1.5;
    float float32_in = 0.5F;
    std::int8_t int8_in = -8;
    std::uint8_t uint8_in = 8;
    std::int16_t int16_in = -16;
    std::uint16_t uint16_in = 16;
    std::int32_t int32_in = -32;
    std::uint32_t uint32_in = 32;
    std::int64_t int64_in = -64;
    std::uint64_t uint64_in = 64;
    bool boolean_in = true;
    Text<255> string_in = "hello";
    Bytes<255> binary_in = std::string_view("\0\xff", 2);
    Mode mode_in = Mode::run;
    std::array<double, 3> vector_in = {1, 2, 3};
    std::array<std::array<std::int32_t, 3>, 2> matrix_in = {{{1, 2, 3}, {4, 5, 6}}};
    std::array<Text<31>, 2> names_in = {"one", "two"};

    double float64_out = {};
    float float32_out = {};
    std::int8_t int8_out = {};
    std::uint8_t uint8_out = {};
    std::int16_t int16_out = {};
    std::uint16_t uint16_out = {};
    std::int32_t int32_out = {};
    std::uint32_t uint32_out = {};
    std::int64_t int64_out = {};
    std::uint64_t uint64_out = {};
    bool boolean_out = {};
    Text<255> string_out = {};
    Bytes<255> binary_out = {};
    Mode mode_out = {};
    std::array<double, 3> vector_out = {};
    std::array<std::array<std::int32_t, 3>, 2> matrix_out = {};
    std::array<Text<31>, 2> names_out = {};

    static void declare(Declaration<Feedthrough>& model) {
        model.description("gives out what goes in, of every type");
        model.experiment({.start = 0, .stop = 2, .step = 0.1});
        model.input(&Feedthrough::float64_in, "float64_in", "", "");
        model.input(&Feedthrough::float32_in, "float32_in", "", "");
        model.input(&Feedthrough::int8_in, "int8_in", "", "");
        model.input(&Feedthrough::uint8_in, "uint8_in", "", "");
        model.input(&Feedthrough::int16_in, "int16_in", "", "");
        model.input(&Feedthrough::uint16_in, "uint16_in", "", "");
        model.input(&Feedthrough::int32_in, "int32_in", "", "");
        model.input(&Feedthrough::uint32_in, "uint32_in", "", "");
        model.input(&Feedthrough::int64_in, "int64_in", "", "");
        model.input(&Feedthrough::uint64_in, "uint64_in", "", "");
        model.input(&Feedthrough::boolean_in, "boolean_in", "", "");
        model.input(&Feedthrough::string_in, "string_in", "", "");
        model.input(&Feedthrough::binary_in, "binary_in", "", "");
        model.input(&Feedthrough::mode_in, "mode_in", "", "").items({"stop", "run", "coast"});
        model.input(&Feedthrough::vector_in, "vector_in", "", "");
        model.input(&Feedthrough::matrix_in, "matrix_in", "", "");
        model.input(&Feedthrough::names_in, "names_in", "", "");
        model.output(&Feedthrough::float64_out, "float64_out", "", "")
            .fed_by(&Feedthrough::float64_in);
        model.output(&Feedthrough::float32_out, "float32_out", "", "")
            .fed_by(&Feedthrough::float32_in);
        model.output(&Feedthrough::int8_out, "int8_out", "", "").fed_by(&Feedthrough::int8_in);
        model.output(&Feedthrough::uint8_out, "uint8_out", "", "").fed_by(&Feedthrough::uint8_in);
        model.output(&Feedthrough::int16_out, "int16_out", "", "").fed_by(&Feedthrough::int16_in);
        model.output(&Feedthrough::uint16_out, "uint16_out", "", "")
            .fed_by(&Feedthrough::uint16_in);
        model.output(&Feedthrough::int32_out, "int32_out", "", "").fed_by(&Feedthrough::int32_in);
        model.output(&Feedthrough::uint32_out, "uint32_out", "", "")
            .fed_by(&Feedthrough::uint32_in);
        model.output(&Feedthrough::int64_out, "int64_out", "", "").fed_by(&Feedthrough::int64_in);
        model.output(&Feedthrough::uint64_out, "uint64_out", "", "")
            .fed_by(&Feedthrough::uint64_in);
        model.output(&Feedthrough::boolean_out, "boolean_out", "", "")
            .fed_by(&Feedthrough::boolean_in);
        model.output(&Feedthrough::string_out, "string_out", "", "")
            .fed_by(&Feedthrough::string_in);
        model.output(&Feedthrough::binary_out, "binary_out", "", "")
            .fed_by(&Feedthrough::binary_in);
        model.output(&Feedthrough::mode_out, "mode_out", "", "")
            .fed_by(&Feedthrough::mode_in)
            .items({"stop", "run", "coast"});
        model.output(&Feedthrough::vector_out, "vector_out", "", "")
            .fed_by(&Feedthrough::vector_in);
        model.output(&Feedthrough::matrix_out, "matrix_out", "", "")
            .fed_by(&Feedthrough::matrix_in);
        model.output(&Feedthrough::names_out, "names_out", "", "").fed_by(&Feedthrough::names_in);
    }

    void outputs() {
        float64_out = float64_in;
        float32_out = float32_in;
        int8_out = int8_in;
        uint8_out = uint8_in;
        int16_out = int16_in;
        uint16_out = uint16_in;
        int32_out = int32_in;
        uint32_out = uint32_in;
        int64_out = int64_in;
        uint64_out = uint64_in;
        boolean_out = boolean_in;
        string_out = string_in;
        binary_out = binary_in;
        mode_out = mode_in;
        vector_out = vector_in;
        matrix_out = matrix_in;
        names_out = names_in;
    }
};

} // namespace

RUBATO_MODEL(feedthrough, Feedthrough)
