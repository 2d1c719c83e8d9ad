"""How many examples the property tests try.

`HYPOTHESIS_PROFILE=soak` tries sixty times as many, other ones in each run.
"""

import os

from hypothesis import HealthCheck, settings

EXAMPLES = 80
SOAK = 60

# What is slow or large here is meant to be: whole hands, judged many times over.
_unhurried = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}

settings.register_profile("suite", max_examples=EXAMPLES, derandomize=True, **_unhurried)
settings.register_profile("soak", max_examples=EXAMPLES * SOAK, print_blob=True, **_unhurried)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))
