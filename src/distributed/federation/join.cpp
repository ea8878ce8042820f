// SPDX-License-Identifier: Apache-2.0
#include "federates.hpp"
#include "module.hpp"

#include <rubato/files/temporary_folder.hpp>
#include <rubato/private/format.hpp>

#include <fstream>

namespace rubato::distributed {

namespace {

constexpr files::Module hla_module = {.name = "rubato-hla.so",
                                      .variable = "RUBATO_HLA",
                                      .libraries =
                                          "a run-time infrastructure of HLA (IEEE 1516-2010)",
                                      .is_global = true,
                                      .remedy = "build Rubato where a run-time infrastructure "
                                                "(RTI) of HLA is installed (docs/hla.md)"};

} // namespace

std::unique_ptr<Link> open_link(const FederationSettings& settings, bool is_master) {
    const auto open = reinterpret_cast<OpenLinkFunction>(
        files::module_function(hla_module, "rubato_open_link", "an HLA federation"));
    const files::TemporaryFolder folder;
    const std::filesystem::path fom = folder.path() / "rubato.xml";
    std::ofstream(fom) << settings.fom;
    const LinkSettings wanted{settings.federation, federate_name(settings, is_master),
                              settings.address, fom.string(), is_master};
    const char* problem = nullptr;
    std::unique_ptr<Link> link(open(wanted, &problem));
    if (!link)
        throw Error(format("federation \"{}\": {}", settings.federation, problem),
                    "start the run-time infrastructure (RTI); --rti gives its address");
    return link;
}

std::unique_ptr<Federation> lead_federation(std::unique_ptr<Link> link,
                                            const FederationSettings& settings,
                                            const std::vector<std::string>& all_units,
                                            const std::string& offer, RefusalReport& report) {
    try {
        Roster roster = gather_members(*link, settings, all_units, offer, report);
        const std::uint64_t own = roster.members.front().id;
        return std::make_unique<Federates>(std::move(link), std::move(roster), own, settings);
    } catch (const LinkError& fault) {
        throw Error(format("federation \"{}\": {}", settings.federation, fault.what()));
    }
}

std::unique_ptr<Federation> follow_federation(std::unique_ptr<Link> link,
                                              const FederationSettings& settings) {
    constexpr bool is_master = false;
    const Member own = own_member(settings, is_master);
    try {
        Roster roster = await_roster(*link, settings, own);
        return std::make_unique<Federates>(std::move(link), std::move(roster), own.id, settings);
    } catch (const LinkError& fault) {
        throw Error(format("federation \"{}\": {}", settings.federation, fault.what()));
    }
}

} // namespace rubato::distributed
