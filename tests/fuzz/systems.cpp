// SPDX-License-Identifier: Apache-2.0

/// Systems of other tools: SSP, OSP, Maestro, MasterSim. Every file that a system names has the same
/// bytes.

#include "target.hpp"

#include <rubato/core/diagnostics.hpp>
#include <rubato/scenario/maestro.hpp>
#include <rubato/scenario/msim.hpp>
#include <rubato/scenario/osp.hpp>
#include <rubato/scenario/ssp.hpp>

namespace {

class SameFiles final : public rubato::scenario::SystemFiles {
public:
    explicit SameFiles(std::string_view bytes) : bytes_(bytes) {}

    std::string label(const std::filesystem::path& file) const override { return file.string(); }
    bool exists(const std::filesystem::path&) const override { return true; }
    std::string read(const std::filesystem::path&) const override { return std::string(bytes_); }
    std::filesystem::path path_of(const std::filesystem::path& file) const override { return file; }
    std::filesystem::path keep(const std::string& name, const std::string&) override {
        return name;
    }
    const rubato::scenario::UnitDescription* describe(const rubato::scenario::Unit&) override {
        return nullptr;
    }
    std::unique_ptr<SystemFiles> open(const std::filesystem::path&) override {
        return std::make_unique<SameFiles>(bytes_);
    }

private:
    std::string_view bytes_;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    SameFiles files(std::string_view(reinterpret_cast<const char*>(data), size));
    for (const auto parse : {rubato::scenario::parse_ssd, rubato::scenario::parse_osp,
                             rubato::scenario::parse_maestro, rubato::scenario::parse_msim}) {
        rubato::Diagnostics diagnostics;
        try {
            parse("system", files, diagnostics);
        } catch (const rubato::Error&) { // the system's fault
        }
    }
    return 0;
}
