// SPDX-License-Identifier: Apache-2.0
#include "export/documentation.hpp"

#include <rubato/core/xml_writer.hpp>

namespace rubato::pipeline {

namespace {

constexpr const char* license_text =
    R"(The binary of this FMU is Rubato, licensed under the Apache License, Version 2.0
(https://www.apache.org/licenses/LICENSE-2.0). It contains the libraries below, and the C++ library of GCC, licensed
under the GNU General Public License, version 3, with the GCC Runtime Library Exception.

The FMUs in the folder resources/fmus have licences of their own.

------------------------------------------------------------------------------------------------------------------------
fmt, Copyright (c) 2012 - present, Victor Zverovich
yaml-cpp, Copyright (c) 2008-2015 Jesse Beder
pugixml, Copyright (c) 2006-2022 Arseny Kapoulkine
JSON for Modern C++, Copyright (c) 2013-2022 Niels Lohmann

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

------------------------------------------------------------------------------------------------------------------------
SUNDIALS, Copyright (c) 2002-2022, Lawrence Livermore National Security and Southern Methodist University

Redistribution and use in source and binary forms, with or without modification, are permitted provided that the
following conditions are met:

* Redistributions of source code must retain the above copyright notice, this list of conditions and the following
  disclaimer.
* Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
  disclaimer in the documentation and/or other materials provided with the distribution.
* Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products
  derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE
DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL,
SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR
SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS
SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
)";

} // namespace

std::string index_page(const std::string& name, const std::vector<std::string>& contents) {
    Xml page;
    page.open("html");
    page.attribute("xmlns", "http://www.w3.org/1999/xhtml");
    page.open("head");
    page.text_element("title", name);
    page.close();
    page.open("body");
    page.text_element("h1", name);
    page.text_element("p", "A co-simulation, exported by Rubato: resources/scenario.yaml is the "
                           "scenario. Licences are in the folder licenses.");
    page.open("ul");
    for (const std::string& each : contents) page.text_element("li", "resources/" + each);
    for (int level = 0; level < 3; ++level) page.close();
    return page.text();
}

const char* licenses_of_runtime() { return license_text; }

} // namespace rubato::pipeline
