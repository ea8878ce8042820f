// SPDX-License-Identifier: Apache-2.0

/// FMUs that break the standard are read all the same, as docs/explanation/validation.md says;
/// --strict refuses them.

#include "clean_descriptions.hpp"
#include "support/collecting_log.hpp"
#include "support/error_text.hpp"
#include "support/private_folder.hpp"
#include "support/zip_writer.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace rubato::unit {
namespace {

using scenario::UnitDescription;
using scenario::Variable;
using test::clean_fmi2;
using test::clean_fmi3;
using test::replaced;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::SizeIs;

/// Every character of it is ASCII.
std::string as_utf16(const std::string& text, bool little_endian) {
    std::string bytes = little_endian ? "\xFF\xFE" : "\xFE\xFF";
    for (const char c : text) {
        if (!little_endian) bytes += '\0';
        bytes += c;
        if (little_endian) bytes += '\0';
    }
    return bytes;
}

class Leniency : public testing::Test {
protected:
    std::filesystem::path pack(const std::string& xml) {
        const auto file = folder_ / ("m" + std::to_string(++count_) + ".fmu");
        test::ZipWriter()
            .add("modelDescription.xml", xml)
            .add("sources/crane.c", "")
            .add("binaries/x86_64-linux/crane.so", "")
            .save(file);
        return file;
    }
    const UnitDescription& describe(const std::string& xml) { return library_.describe(pack(xml)); }
    const UnitDescription& describe(const std::string& clean, const std::string& from,
                                    const std::string& to) {
        return describe(replaced(clean, from, to));
    }
    static const Variable& variable(const UnitDescription& description, const std::string& name) {
        return description.variables.at(description.find_variable(name).value());
    }
    static const scenario::Dependencies& dependencies(const UnitDescription& description,
                                                      const std::string& name) {
        const auto output = description.find_variable(name).value();
        for (const auto& entry : description.dependencies)
            if (entry.output == output) return entry;
        throw std::logic_error(name);
    }

    test::PrivateFolder folder_;
    test::CollectingLog log_;
    Library library_{log_};
    int count_ = 0;
};

TEST_F(Leniency, IsNotNeededForWhatKeepsTheStandard) {
    describe(clean_fmi2);
    describe(clean_fmi3);
    EXPECT_THAT(log_.messages(), IsEmpty());
}

TEST_F(Leniency, IsToldOncePerRule) {
    const auto once = replaced(clean_fmi2, "name=\"pi\"", "name=\"p i\"");
    describe(replaced(once, "name=\"k\"", "name=\"k!\""));
    ASSERT_THAT(log_.messages(), SizeIs(1));
    EXPECT_EQ(log_.messages().front().level, LogLevel::info);
    EXPECT_THAT(log_.messages().front().text,
                AllOf(HasSubstr("breaks the rule structured-name: line "),
                      HasSubstr("\"k!\" is not a structured name (and 1 more)"),
                      HasSubstr("the name is taken as it is")));
}

TEST_F(Leniency, IsOffWhenStrict) {
    Library strict(log_, {}, Strictness::strict);
    EXPECT_EQ(strict.describe(pack(clean_fmi2)).model, "crane");
    const auto file = pack(replaced(clean_fmi2, "name=\"pi\"", "name=\"p i\""));
    EXPECT_THAT(test::error_of<InputError>([&] { strict.describe(file); }),
                HasSubstr("\"p i\" is not a structured name (structured-name, refused by "
                          "--strict)"));
}

TEST_F(Leniency, WithEncodings) {
    EXPECT_EQ(describe(as_utf16(clean_fmi2, true)).model, "crane");
    EXPECT_EQ(describe(as_utf16(clean_fmi3, false)).model, "crane");
    EXPECT_EQ(describe(as_utf16(clean_fmi2, true).substr(2)).model, "crane");
    EXPECT_EQ(describe(std::string("\xEF\xBB\xBF") + clean_fmi2).model, "crane");
    EXPECT_EQ(describe(clean_fmi2, "\"crane\"", "\"Kr\xE4n \x80\"").model, "Krän €");
}

TEST_F(Leniency, WithLinesInUtf16) {
    const auto file =
        pack(as_utf16(replaced(clean_fmi2, "</ModelVariables>", "</Variables>"), true));
    const std::string_view before(clean_fmi2, std::strstr(clean_fmi2, "</ModelVariables>"));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    EXPECT_THAT(test::error_of<InputError>([&] { library_.describe(file); }),
                HasSubstr("modelDescription.xml:" + std::to_string(line) + ": is not well-formed"));
}

TEST_F(Leniency, WithVersions) {
    EXPECT_EQ(describe(clean_fmi2, "\"2.0\"", "\" 2.0.4 \"").kind.substr(0, 7), "FMI 2.0");
    EXPECT_EQ(describe(clean_fmi2, "fmiVersion=\"2.0\"", "").kind.substr(0, 7), "FMI 2.0");
    EXPECT_EQ(describe(clean_fmi3, "fmiVersion=\"3.0\"", "").kind.substr(0, 7), "FMI 3.0");
}

TEST_F(Leniency, WithoutGuid) {
    EXPECT_EQ(describe(clean_fmi2, "guid=\"{42}\"", "").identifier, "");
}

TEST_F(Leniency, OutputsThatTheStructureDoesNotListDependOnEverything) {
    const auto& d = describe(clean_fmi2,
                             "<Unknown index=\"8\" dependencies=\"4 6\" "
                             "dependenciesKind=\"fixed dependent\"/>",
                             "");
    EXPECT_EQ(dependencies(d, "rope[1].'load cell'").step, std::nullopt);
    EXPECT_THAT(log_.messages().front().text,
                HasSubstr("the output is taken to depend at once on every input"));
    const auto opened = replaced(clean_fmi2, "<ModelStructure>", "<Structure>");
    const auto& none = describe(opened, "</ModelStructure>", "</Structure>");
    EXPECT_EQ(dependencies(none, "x").step, std::nullopt);
}

TEST_F(Leniency, DependenciesThatPointNowhereAreNotTold) {
    const auto& d = describe(clean_fmi2, "dependencies=\"4 6\"", "dependencies=\"4 60\"");
    EXPECT_EQ(dependencies(d, "rope[1].'load cell'").step, std::nullopt);
}

TEST_F(Leniency, NominalValuesOfZeroAndRangesUpsideDownAreAbsent) {
    EXPECT_EQ(variable(describe(clean_fmi2, "nominal=\"10\"", "nominal=\"0\""), "F").nominal,
              std::nullopt);
    const auto& f =
        variable(describe(clean_fmi2, "min=\"0\" max=\"10\"", "min=\"9\" max=\"1\""), "F");
    EXPECT_EQ(f.minimum, std::nullopt);
    EXPECT_EQ(f.maximum, std::nullopt);
}

TEST_F(Leniency, UndefinedUnitsAreNames) {
    EXPECT_EQ(variable(describe(clean_fmi2, "<Real unit=\"kN\"", "<Real unit=\"lbf\""), "F").unit,
              "lbf");
}

TEST_F(Leniency, VariablesThatCannotBeUsedAreLeftOutAndTheOthersStayWhatTheyAre) {
    const auto& d = describe(clean_fmi2, "<ScalarVariable name=\"F\" valueReference=\"3\"",
                             "<ScalarVariable name=\"F\"");
    EXPECT_FALSE(d.find_variable("F"));
    const auto x = d.find_variable("x").value();
    EXPECT_THAT(variable(d, "der(x)").derivative_of, Optional(x));
    EXPECT_EQ(variable(d, "gear").reference, 6u);
}

TEST_F(Leniency, DuplicateValueReferencesOfFmi3AreOtherNames) {
    const auto& d =
        describe(clean_fmi3, "name=\"z\" valueReference=\"10\"", "name=\"z\" valueReference=\"9\"");
    EXPECT_EQ(variable(d, "y").reference, variable(d, "z").reference);
}

TEST_F(Leniency, DiscreteTypesAreDiscrete) {
    const auto& d = describe(clean_fmi2, "causality=\"input\" variability=\"discrete\" canHandle",
                             "causality=\"input\" variability=\"continuous\" canHandle");
    EXPECT_EQ(variable(d, "n").variability, scenario::Variability::discrete);
}

TEST_F(Leniency, StartValuesOfTheWrongTypeAreAbsent) {
    EXPECT_EQ(variable(describe(clean_fmi2, "start=\"-7\"", "start=\"seven\""), "n").start,
              std::nullopt);
}

TEST_F(Leniency, UnknownElementsAndAttributesArePassedOver) {
    EXPECT_EQ(
        describe(clean_fmi2, "<ModelVariables>", "<Extra><a/></Extra><ModelVariables x=\"1\">")
            .variables.size(),
        11u);
}

TEST_F(Leniency, DefaultExperimentsThatMakeNoSenseAreAbsent) {
    const auto& d =
        describe(clean_fmi2, "tolerance=\"1e-6\" stepSize=\"0.1\"", "stepSize=\"-0.1\"");
    EXPECT_EQ(d.default_experiment.step, std::nullopt);
    EXPECT_EQ(d.default_experiment.stop, 2.0);
}

} // namespace
} // namespace rubato::unit
