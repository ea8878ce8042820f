// SPDX-License-Identifier: Apache-2.0
// Prints the names of the models that come with Rubato.
#include <rubato/models.hpp>

#include <cstdio>

int main() {
    for (const auto* model : rubato::models::all()) std::printf("%s\n", model->name.c_str());
    return rubato::models::all().empty() ? 1 : 0;
}
