// SPDX-License-Identifier: Apache-2.0

#include "program.hpp"
#include "support/zip_writer.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace rubato::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Outcome;

class Validate : public testing::Program {
protected:
    void write_faulty() {
        test::ZipWriter()
            .add("modelDescription.xml",
                 R"(<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g">
<CoSimulation modelIdentifier="m"/>
<ModelVariables>
<ScalarVariable name="u" valueReference="0" causality="input"><Real/></ScalarVariable>
</ModelVariables>
<ModelStructure/>
</fmiModelDescription>)")
            .add("binaries/x86_64-linux/m.so", "")
            .save(path("faulty.fmu"));
    }
};

TEST_F(Validate, FindsNothingInWhatKeepsTheStandard) {
    const Outcome outcome = rubato({"validate", RUBATO_FMUS "/fmi2/msd1.fmu"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("fmi2/msd1.fmu: no violations of the standard"));
}

TEST_F(Validate, TellsLineRuleAndConsequence) {
    write_faulty();
    const Outcome outcome = rubato({"validate", "faulty.fmu"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_EQ(
        outcome.out,
        R"(faulty.fmu/modelDescription.xml:4: missing-start: continuous input "u" has no start value
  lenient: the value that the FMU has by itself stays (FMI 2.0: 2.2.7; FMI 3.0: 2.4.7.5)
faulty.fmu: 1 violation of the standard; Rubato can still use it
)");
}

TEST_F(Validate, FoldsWhatIsRepeated) {
    std::string variables;
    for (int i = 0; i < 44; ++i)
        variables += "<ScalarVariable name=\"u" + std::to_string(i) + "\" valueReference=\"" +
                     std::to_string(i) + "\" causality=\"input\"><Real/></ScalarVariable>\n";
    test::ZipWriter()
        .add("modelDescription.xml",
             "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">\n"
             "<CoSimulation modelIdentifier=\"m\"/>\n<ModelVariables>\n" +
                 variables + "</ModelVariables>\n<ModelStructure/>\n</fmiModelDescription>")
        .add("binaries/x86_64-linux/m.so", "")
        .save(path("long.fmu"));
    const auto count = [](const std::string& text) {
        std::size_t found = 0;
        for (auto at = text.find("missing-start: "); at != std::string::npos;
             at = text.find("missing-start: ", at + 1))
            ++found;
        return found;
    };
    const Outcome folded = rubato({"validate", "long.fmu"});
    EXPECT_EQ(folded.code, 1);
    EXPECT_EQ(count(folded.out), 3u) << folded.out;
    EXPECT_THAT(folded.out, AllOf(HasSubstr("… and 41 more of missing-start; --all shows them\n"),
                                  HasSubstr("44 violations of the standard")));
    const Outcome all = rubato({"validate", "long.fmu", "--all"});
    EXPECT_EQ(count(all.out), 44u);
}

TEST_F(Validate, TellsTheSameAsJson) {
    write_faulty();
    const Outcome outcome = rubato({"validate", "--json", "faulty.fmu"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    ASSERT_EQ(json.size(), 1u);
    EXPECT_EQ(json[0]["rule"], "missing-start");
    EXPECT_EQ(json[0]["line"], 4);
    EXPECT_EQ(json[0]["treatment"], "lenient");
}

TEST_F(Validate, ListsItsRules) {
    const Outcome outcome = rubato({"validate", "--rules"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("structured-name\n"), HasSubstr("nominal-not-positive\n")));
}

TEST_F(Validate, NeedsAFileThatIsThere) {
    EXPECT_EQ(rubato({"validate"}).code, 2);
    EXPECT_EQ(rubato({"validate", "none.fmu"}).code, 2);
}

TEST_F(Validate, StrictCommandsRefuseWhatBreaksTheStandard) {
    write_faulty();
    EXPECT_EQ(rubato({"inspect", "faulty.fmu"}).code, 0);
    const Outcome outcome = rubato({"inspect", "--strict", "faulty.fmu"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("(missing-start, refused by --strict)"));
}

} // namespace
} // namespace rubato::cli
