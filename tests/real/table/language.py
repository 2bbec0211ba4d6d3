"""One realistic editor session for every language server: open, ask, edit, ask again, shut down."""

import subprocess

from answering_host import AnsweringHost

CAPABILITIES = {
    "window": {"workDoneProgress": True},
    "workspace": {"applyEdit": True, "configuration": True, "workspaceFolders": True,
                  "didChangeConfiguration": {"dynamicRegistration": True}},
    "textDocument": {
        "synchronization": {"didSave": True},
        "completion": {"completionItem": {"documentationFormat": ["markdown"], "snippetSupport": True}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "publishDiagnostics": {"relatedInformation": True},
    },
}


class LanguageHost(AnsweringHost):
    answers = {
        "client/registerCapability": None,
        "client/unregisterCapability": None,
        "window/workDoneProgress/create": None,
        "workspace/applyEdit": {"applied": True},
    }
    # Section -> what workspace/configuration answers.
    settings = {}

    def __init__(self, *arguments, **options):
        self.answers = {**self.answers, "workspace/configuration": self.configuration}
        # A process to be the host: its pid is as dead in the replays as that of a real editor would be.
        self.identity = subprocess.Popen(["sleep", "600"])
        super().__init__(*arguments, **options)

    def kill(self):
        super().kill()
        self.identity.kill()
        self.identity.wait()

    def configuration(self, params):
        return [self.settings.get(item.get("section")) for item in params["items"]]


class Session:
    """name, text: the file; at: (line, character) of a word; changes: edits; wait: what comes first."""

    def __init__(self, name, language, text, at, changes, settings=(), wait=()):
        self.name, self.language, self.text, self.at = name, language, text, at
        self.changes, self.settings, self.wait = changes, dict(settings), wait

    def prepare(self, folder):
        (folder / self.name).write_text(self.text, encoding="utf-8")

    def __call__(self, host, folder):
        host.settings = self.settings
        uri = (folder / self.name).as_uri()
        document = {"textDocument": {"uri": uri}}

        def at(line, character):
            return {**document, "position": {"line": line, "character": character}}

        root = {
            "processId": host.identity.pid,
            "clientInfo": {"name": "table", "version": "1"},
            "rootPath": str(folder),
            "rootUri": folder.as_uri(),
            "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}],
            "capabilities": CAPABILITIES,
            "trace": "off",
        }
        can = host.call(1, "initialize", root)["capabilities"]
        host.notify("initialized", {})
        if self.settings:
            host.notify("workspace/didChangeConfiguration", {"settings": self.settings})
        opened = {"uri": uri, "languageId": self.language, "version": 1, "text": self.text}
        host.notify("textDocument/didOpen", {"textDocument": opened})
        for wanted in self.wait:
            host.wait_until(wanted, "what this server sends first")
        host.wait_method("textDocument/publishDiagnostics")

        last = 1

        def ask(capability, method, params):
            nonlocal last
            if can.get(capability):
                last += 1
                host.request(last, method, params)
                return [last]
            return []

        def take(numbers):
            for number in numbers:
                host.wait_answer(number)

        take(ask("hoverProvider", "textDocument/hover", at(*self.at)))
        take(ask("completionProvider", "textDocument/completion", at(*self.at)))
        # At once, as an editor does when a file is shown.
        take(ask("documentSymbolProvider", "textDocument/documentSymbol", document)
             + ask("documentHighlightProvider", "textDocument/documentHighlight", at(*self.at))
             + ask("foldingRangeProvider", "textDocument/foldingRange", document)
             + ask("definitionProvider", "textDocument/definition", at(*self.at)))
        take(ask("referencesProvider", "textDocument/references",
                 {**at(*self.at), "context": {"includeDeclaration": True}}))
        for version, change in enumerate(self.changes, 2):
            changed = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}
            host.notify("textDocument/didChange", changed)
            host.wait_method("textDocument/publishDiagnostics")
        take(ask("hoverProvider", "textDocument/hover", at(*self.at)))
        take(ask("documentFormattingProvider", "textDocument/formatting",
                 {**document, "options": {"tabSize": 2, "insertSpaces": True}}))
        host.notify("textDocument/didClose", document)
        host.call(last + 1, "shutdown", None)
        host.notify("exit", None)
