// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace rubato::report {

enum class Scale { linear, logarithmic };

struct Range {
    double low = 0;
    double high = 1;
};

/// A place on an axis. Its label may be empty.
struct Tick {
    double value = 0;
    std::string label;
};

/// Round places within `range`, at most about `most` of them: multiples of 1, 2 or 5 times a power
/// of ten, or powers of ten on a logarithmic axis (there 2 and 5 times them, too, where few decades
/// leave room). `range.low < range.high`, both positive if logarithmic.
std::vector<Tick> choose_ticks(Range range, Scale scale, int most);

} // namespace rubato::report
