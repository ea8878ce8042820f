// SPDX-License-Identifier: Apache-2.0

#include "support/error_text.hpp"
#include "support/private_folder.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/models.hpp>
#include <rubato/unit/library.hpp>

#include <gmock/gmock.h>

#include <filesystem>
#include <iterator>
#include <vector>

namespace rubato::unit {
namespace {

namespace fs = std::filesystem;

class LibraryTest : public testing::Test {
protected:
    static scenario::Unit fmu(const std::string& name, const fs::path& file) {
        scenario::Unit unit;
        unit.name = name;
        unit.origin = scenario::FmuFile{file};
        return unit;
    }
    static fs::path node() { return fs::path(KIT_FMUS) / "fmi2/node.fmu"; }

    std::size_t unpacked_copies() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder_ / "tmp"), fs::directory_iterator()));
    }

    test::PrivateFolder folder_;
    Library library_{silent_log()};
};

TEST_F(LibraryTest, DescribingUnpacksNothing) {
    EXPECT_EQ(library_.describe(node()).model, "node");
    EXPECT_FALSE(folder_.has_temporary_files());
}

TEST_F(LibraryTest, ManyInstancesShareOneUnpackedCopyAndOneDescription) {
    std::vector<std::unique_ptr<Unit>> units;
    for (int i = 0; i < 1000; ++i) {
        units.push_back(library_.instantiate(fmu("node" + std::to_string(i), node()), ""));
        units.back()->enter_initialization({});
        units.back()->exit_initialization();
    }
    EXPECT_EQ(unpacked_copies(), 1u);
    EXPECT_EQ(&units.front()->description(), &units.back()->description());
    EXPECT_EQ(units.back()->name(), "node999");
}

TEST_F(LibraryTest, AnFmuIsTakenAsCoSimulationUnlessToldOtherwise) {
    using scenario::Interface;
    scenario::Unit unit = fmu("it", node());
    EXPECT_EQ(library_.describe(unit, "").kind, "FMI 2.0 co-simulation");
    EXPECT_THAT(library_.describe(unit, "").interfaces,
                testing::ElementsAre(Interface::co_simulation, Interface::model_exchange));
    EXPECT_EQ(library_.instantiate(unit, "")->solver_statistics(), nullptr);
    unit.type = Interface::model_exchange;
    EXPECT_EQ(library_.describe(unit, "").kind, "FMI 2.0 model exchange");
    EXPECT_EQ(library_.describe(unit, "").interface, Interface::model_exchange);
    EXPECT_NE(library_.instantiate(unit, "")->solver_statistics(), nullptr);
    EXPECT_EQ(unpacked_copies(), 1u);
}

TEST_F(LibraryTest, AnInterfaceThatAnFmuDoesNotOfferIsRefused) {
    scenario::Unit unit = fmu("it", fs::path(TEST_FMUS) / "behaves.fmu");
    unit.type = scenario::Interface::model_exchange;
    EXPECT_THAT(test::error_of<InputError>([&] { (void)library_.describe(unit, ""); }),
                testing::AllOf(testing::HasSubstr("behaves.fmu: offers no model exchange"),
                               testing::HasSubstr("type: cs")));
}

TEST_F(LibraryTest, OneFileByTwoPathsIsOneFmu) {
    fs::create_symlink(node(), folder_ / "link.fmu");
    EXPECT_EQ(&library_.describe(node()), &library_.describe(folder_ / "link.fmu"));
}

TEST_F(LibraryTest, TwoCopiesOfAnFmuStayApart) {
    fs::copy_file(node(), folder_ / "a.fmu");
    fs::copy_file(node(), folder_ / "b.fmu");
    const auto a = library_.instantiate(fmu("a", "a.fmu"), folder_.path());
    const auto b = library_.instantiate(fmu("b", "b.fmu"), folder_.path());
    EXPECT_NE(&a->description(), &b->description());
    EXPECT_EQ(unpacked_copies(), 2u);
}

TEST_F(LibraryTest, RemovesWhatItUnpacked) {
    {
        Library library(silent_log());
        const auto unit = library.instantiate(fmu("node", node()), "");
        EXPECT_TRUE(folder_.has_temporary_files());
    }
    EXPECT_FALSE(folder_.has_temporary_files());
}

TEST_F(LibraryTest, RelativePathsAreRelativeToTheFolder) {
    EXPECT_EQ(library_.describe(fmu("node", "fmi2/node.fmu"), KIT_FMUS).model, "node");
}

TEST_F(LibraryTest, FoldersOfTheEnvironmentAreSearchedByFileName) {
    ::setenv("RUBATO_FMU_PATH", "/nowhere:" KIT_FMUS "/fmi2", 1);
    const auto& description = library_.describe(fmu("node", "anywhere/node.fmu"), folder_.path());
    ::unsetenv("RUBATO_FMU_PATH");
    EXPECT_EQ(description.model, "node");
}

TEST_F(LibraryTest, AFaultyFileIsReadAgainWhenItHasBeenReplaced) {
    const auto file = folder_ / "node.fmu";
    EXPECT_THROW(library_.describe(file), InputError);
    fs::copy_file(node(), file);
    EXPECT_EQ(library_.describe(file).model, "node");
}

TEST_F(LibraryTest, NativeModelsAreKnownByTheirName) {
    for (const model::ModelType* type : models::all()) library_.add(*type);
    scenario::Unit unit;
    unit.name = "left";
    unit.origin = scenario::NativeModel{"msd1"};
    EXPECT_EQ(library_.describe(unit, "").model, "msd1");
    EXPECT_EQ(library_.instantiate(unit, "")->name(), "left");
    unit.origin = scenario::NativeModel{"mds1"};
    EXPECT_THAT(test::error_of<InputError>([&] { library_.describe(unit, ""); }),
                testing::HasSubstr("did you mean \"msd1\"?"));
}

} // namespace
} // namespace rubato::unit
