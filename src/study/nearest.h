#pragma once
#include "space/text.h"
