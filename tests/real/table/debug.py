"""One session for every debug adapter: stop at a breakpoint, look at the stack, step, run to the end."""

from answering_host import DapHost


class Session:
    def __init__(self, source, line, text, launch, adapter):
        self.source, self.line, self.text = source, line, text
        self.launch, self.adapter = launch, adapter

    def prepare(self, folder):
        (folder / self.source).write_text(self.text, encoding="utf-8")

    def __call__(self, host, folder):
        host.call("initialize", {"adapterID": self.adapter, "clientID": "table", "linesStartAt1": True,
                                 "columnsStartAt1": True, "pathFormat": "path", "supportsVariableType": True})
        host.ask("launch", {key: value.format(folder=folder) if isinstance(value, str) else value
                            for key, value in self.launch.items()})
        host.event("initialized")
        source = {"name": self.source, "path": str(folder / self.source)}
        host.call("setBreakpoints", {"source": source, "breakpoints": [{"line": self.line}]})
        host.call("configurationDone")
        host.answer("launch")
        for step in (False, True):
            stopped = host.event("stopped")
            thread = stopped["threadId"]
            assert host.call("threads")["threads"]
            asked = {"threadId": thread, "startFrame": 0, "levels": 20}
            frames = host.call("stackTrace", asked)["stackFrames"]
            scopes = host.call("scopes", {"frameId": frames[0]["id"]})["scopes"]
            host.call("variables", {"variablesReference": scopes[0]["variablesReference"]})
            if not step:
                host.call("next", {"threadId": thread})
        host.call("continue", {"threadId": thread})
        host.event("terminated")
        host.call("disconnect", {"terminateDebuggee": True})


Host = DapHost
