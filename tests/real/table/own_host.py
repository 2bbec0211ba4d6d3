"""A host that is a program of its own: it gets the plugin's command and starts it."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from scripted_host import DEADLINE_S  # noqa: E402


class OwnHost:
    def __init__(self, command, framing, cwd):
        self.command, self.cwd, self.process = command, cwd, None

    def run(self, command, environment=()):
        """Until the host ends, which it does by itself."""
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=self.cwd, env={**os.environ, **dict(environment)},
                                        stdin=subprocess.DEVNULL, stdout=pipe, stderr=subprocess.STDOUT)
        try:
            self.log, _ = self.process.communicate(timeout=4 * DEADLINE_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{command[0]} did not end")

    def close(self):
        assert self.process.returncode == 0, self.log.decode(errors="replace")
        return 0

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
