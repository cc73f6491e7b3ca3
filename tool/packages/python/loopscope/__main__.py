# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m loopscope` is the program loopscope."""
import os
import sys

from . import tool

os.execv(tool(), [tool(), *sys.argv[1:]])
