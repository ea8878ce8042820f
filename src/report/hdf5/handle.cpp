// SPDX-License-Identifier: Apache-2.0
#include "handle.hpp"

namespace rubato::report::hdf5 {
namespace {

herr_t add_description(unsigned depth, const H5E_error2_t* error, void* text) {
    auto& result = *static_cast<std::string*>(text);
    constexpr unsigned most = 2; // the rest is of the library
    if (depth >= most || error->desc == nullptr) return 0;
    if (!result.empty()) result += ": ";
    result += error->desc;
    return 0;
}

} // namespace

std::string last_fault() {
    std::string text;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, add_description, &text);
    H5Eclear2(H5E_DEFAULT);
    return text.empty() ? "the HDF5 library reports a fault" : text;
}

Handle access_properties() {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // faults become messages of Rubato
    Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
#if H5_VERSION_GE(1, 10, 7)
    H5Pset_file_locking(properties.get(), false, true);
#endif
    return properties;
}

} // namespace rubato::report::hdf5
