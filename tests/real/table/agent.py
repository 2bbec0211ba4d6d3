"""The example agent and client of the Agent Client Protocol in corpora/acp/sdk, with the SDK from npm."""

import pathlib
import shutil

from own_host import OwnHost

Host = OwnHost
SDK = pathlib.Path(__file__).resolve().parents[3] / "corpora" / "acp" / "sdk"


def prepare(folder):
    for name in "agent.mjs", "client.mjs":
        shutil.copy(SDK / name, folder)
    # Programs find packages above their own folder.
    (folder / "node_modules").symlink_to(folder.parent / "npm" / "node_modules")


def session(host, folder):
    host.run(["node", "client.mjs", "all", *host.command])
