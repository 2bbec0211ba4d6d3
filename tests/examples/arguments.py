"""A plugin that answers a request with its arguments."""

import json
import sys

request = json.loads(sys.stdin.readline())
print(json.dumps({"id": request["id"], "result": sys.argv[1:]}), flush=True)
sys.stdin.read()
