// SPDX-License-Identifier: Apache-2.0
#include "version.hpp"

#include <build_info.hpp>
#include <commit.hpp>

namespace rubato::cli {

std::string version() { return build_info::version; }

std::string version_text() {
    return std::string("rubato ") + build_info::version +                     //
           "\ncommit     " + build_info::commit +                             //
           "\ncompiler   " + build_info::compiler +                           //
           "\nbuild      " + build_info::type + ", " + build_info::platform + //
           "\nFMI        1.0, 2.0, 3.0 (co-simulation and model exchange)"    //
           "\nlibraries  " +
           build_info::libraries;
}

} // namespace rubato::cli
