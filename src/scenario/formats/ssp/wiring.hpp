// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "formats/ssp/model.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rubato::scenario::formats::ssp {

/// `then` after `first`. nullopt: scaling and tables cannot be combined.
std::optional<Transformation> composed(const Transformation& first, const Transformation& then);

/// A connector at one end of a connection.
struct End {
    const Element* element = nullptr;
    std::string connector;
    std::string indices; ///< "[2,1]"; empty: all of it
};

/// One connection on the way of a value.
struct Segment {
    End to;
    const Link* link = nullptr;
};

/// How a value gets to an input of a component, or to a connector of the root: from an output of
/// another component, or from the outermost connector of a system that nothing leads to.
struct Flow {
    End source, target;
    std::vector<Segment> segments; ///< from the source to the target

    bool has_source() const { return source.element->kind == Element::Kind::component; }
};

/// A flow without what has been passed before this connector. nullopt: it does not pass it.
std::optional<Flow> flow_from(const Flow& flow, const Element* element,
                              const std::string& connector);

/// What happens to values on their way. `is_explicit`: units of measure have been converted, or are
/// not to be; otherwise the resolver does.
struct Passage {
    Transformation transformation;
    bool is_explicit = false;
};

/// nullopt: what is done on the way cannot be combined, which has been reported.
std::optional<Passage> passage_of(const Flow& flow, Diagnostics& diagnostics);

/// The unit of measure of a connector, or of the FMU's variable where it has none.
MeasureName measure_of(const Element& element, const std::string& connector);

/// The variable of an FMU that a connector stands for; null: not known.
const Variable* variable_of(const Element& component, const std::string& connector);

/// Finds out where values come from: follows connections through systems and dictionaries.
class Wiring {
public:
    Wiring(const Element& root, Diagnostics& diagnostics);

    /// All inputs of components that something leads to, in the order of the connections, then
    /// the outputs of the root.
    std::vector<Flow> flows();

private:
    enum class Role : std::uint8_t { source, sink, either };
    struct Inbound {
        End from;
        const Link* link = nullptr;
    };
    using Key = std::pair<const void*, std::string>;

    void read_links(const Element& system);
    void add_link(const Element& system, const Link& link);
    std::optional<End> find_end(const Element& system, const Link& link, const std::string& element,
                                const std::string& connector, const std::string& indices);
    std::optional<Role> role_of(const Element& system, const End& end) const;
    std::optional<Key> key_of(const End& end, const Link& link);
    void add_inbound(const End& from, const End& to, const Link& link);
    std::optional<Flow> trace(const End& target, const Inbound& last);

    const Element& root_;
    Diagnostics& diagnostics_;
    std::map<Key, Inbound> inbound_;
    std::vector<End> sinks_; ///< at components, and outputs of the root
};

} // namespace rubato::scenario::formats::ssp
