// SPDX-License-Identifier: Apache-2.0
#include "fom.hpp"

namespace rubato::distributed {

/// Frames come in the order of receipt: many of them are exchanged at one logical time.
std::string exchange_fom() {
    return R"(<?xml version="1.0" encoding="UTF-8"?>
<objectModel xmlns="http://standards.ieee.org/IEEE1516-2010"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://standards.ieee.org/IEEE1516-2010 http://standards.ieee.org/downloads/1516/1516.2-2010/IEEE1516-DIF-2010.xsd">
    <modelIdentification>
        <name>Rubato</name>
        <type>FOM</type>
        <version>1.0</version>
        <modificationDate>2026-11-18</modificationDate>
        <securityClassification>unclassified</securityClassification>
        <description>What federates of Rubato exchange among each other</description>
        <poc>
            <pocType>Primary author</pocType>
            <pocName>Rubato</pocName>
        </poc>
    </modelIdentification>
    <objects>
        <objectClass>
            <name>HLAobjectRoot</name>
            <objectClass>
                <name>RubatoFederate</name>
                <sharing>PublishSubscribe</sharing>
                <semantics>A process of a run</semantics>
                <attribute>
                    <name>Frame</name>
                    <dataType>HLAopaqueData</dataType>
                    <updateType>Conditional</updateType>
                    <updateCondition>values or decisions are exchanged</updateCondition>
                    <ownership>NoTransfer</ownership>
                    <sharing>PublishSubscribe</sharing>
                    <transportation>HLAreliable</transportation>
                    <order>Receive</order>
                    <semantics>Packed values, decisions and commands</semantics>
                </attribute>
            </objectClass>
        </objectClass>
    </objects>
    <time>
        <timeStamp>
            <dataType>HLAfloat64Time</dataType>
            <semantics>Simulated time in seconds</semantics>
        </timeStamp>
        <lookahead>
            <dataType>HLAfloat64Time</dataType>
            <semantics>Zero</semantics>
        </lookahead>
    </time>
</objectModel>
)";
}

} // namespace rubato::distributed
