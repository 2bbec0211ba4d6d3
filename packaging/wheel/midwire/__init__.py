"""midwire: the pytest plugin of the command (midwire.pytest_plugin)."""
