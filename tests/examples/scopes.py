"""A plugin whose tools answer what the arguments say, one after the other: `rand=7`, `add=3`."""

import json
import sys

answers = [word.partition("=") for word in sys.argv[1:]]
for line in sys.stdin:
    request = json.loads(line)
    name, _, value = answers.pop(0)
    assert name == request["params"]["name"]
    print(json.dumps({"id": request["id"], "result": {"x": int(value)}}), flush=True)
