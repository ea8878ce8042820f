// SPDX-License-Identifier: Apache-2.0
#include "version.hpp"

#include <rubato/private/format.hpp>

#include <build_info.hpp>
#include <commit.hpp>

namespace rubato::cli {

std::string version() { return build_info::version; }

std::string version_text() {
    return format("rubato {}\n"
                  "commit     {}\n"
                  "compiler   {}\n"
                  "build      {}, {}\n"
                  "FMI        1.0, 2.0, 3.0 (co-simulation and model exchange)\n"
                  "libraries  {}",
                  build_info::version, build_info::commit, build_info::compiler, build_info::type,
                  build_info::platform, build_info::libraries);
}

} // namespace rubato::cli
