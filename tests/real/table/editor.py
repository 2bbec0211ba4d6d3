"""A session with kakoune's JSON user interface: keys go in, drawings come out."""

from answering_host import AnsweringHost

Host = AnsweringHost
TEXT = "one two\nthree\n"


def prepare(folder):
    (folder / "text.txt").write_text(TEXT)


def kakoune(host, folder):
    def refreshed():
        host.wait_method("refresh")

    refreshed()
    host.notify("resize", [24, 80])
    refreshed()
    echo = [":", "e", "c", "h", "o", "<space>", "x"]
    for keys in ["w"], ["i", "n", "e", "w"], ["<esc>"], ["g", "j"], echo, ["<ret>"], ["u"]:
        host.notify("keys", keys)
        refreshed()
    host.notify("keys", [":", "q", "!", "<ret>"])
    # At the end of its input, kakoune would exit with 255 instead.
    host.process.wait(timeout=60)
