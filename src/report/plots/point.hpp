// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace rubato::report {

/// A place on the picture, in pixels.
struct Point {
    double x = 0;
    double y = 0;
};

} // namespace rubato::report
