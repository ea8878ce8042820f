#include "cases.hpp"
