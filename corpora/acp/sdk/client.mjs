// An example client of the Agent Client Protocol, version 1, with the official SDK.
// Usage: node client.mjs SCRIPT AGENT COMMAND...   SCRIPT: all, small or cancel
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const [script, command, ...args] = process.argv.slice(2);
const agent = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const folder = { cwd: "/home/ada/notes", mcpServers: [] };
const server = {
  name: "notes", command: "/usr/bin/notes", args: ["--stdio"], env: [{ name: "KEY", value: "not-a-secret" }],
};
let cancelInPermission = false;

const app = acp.client({ name: "example-client" })
  .onRequest("session/request_permission", async ({ params, agent }) => {
    const [{ optionId }] = params.options;
    if (!cancelInPermission) return { outcome: { outcome: "selected", optionId } };
    await agent.notify("session/cancel", { sessionId: params.sessionId });
    return { outcome: { outcome: "cancelled" } };
  })
  .onNotification("session/update", ({ params, agent }) => {
    if (script === "cancel" && params.update.sessionUpdate === "plan" && !cancelInPermission) {
      return agent.notify("session/cancel", { sessionId: params.sessionId });
    }
  })
  .onNotification("elicitation/complete", () => {})
  .onRequest("fs/read_text_file", () => ({ content: "int x = 1;\n" }))
  .onRequest("fs/write_text_file", () => ({}))
  .onRequest("terminal/create", () => ({ terminalId: "terminal-1" }))
  .onRequest("terminal/wait_for_exit", () => ({ exitCode: 0 }))
  .onRequest("terminal/output", () => {
    return { output: "ok 1 - Grüße\n", truncated: false, exitStatus: { exitCode: 0 } };
  })
  .onRequest("terminal/kill", () => ({}))
  .onRequest("terminal/release", () => ({}))
  .onRequest("elicitation/create", ({ params }) => {
    if (params.mode === "url") return { action: "accept" };
    return { action: "accept", content: { colour: "blue", size: 2 } };
  });

async function fails(promise, code) {
  const error = await promise.then(() => undefined, (error) => error);
  if (error?.code !== code) throw new Error(`expected error ${code}, got ${error?.code}`);
}

const say = (agent, sessionId, text) =>
  agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });

async function all(agent) {
  await agent.request("authenticate", { methodId: "local" });
  const { sessionId } = await agent.request("session/new", { ...folder, mcpServers: [server] });
  await new Promise((done) => setTimeout(done, 100));
  await agent.request("session/set_mode", { sessionId, modeId: "code" });
  await agent.request("session/set_config_option", { sessionId, configId: "model", value: "large" });
  const web = { configId: "web", type: "boolean", value: true };
  await agent.request("session/set_config_option", { sessionId, ...web });
  const resource = { uri: "file:///home/ada/notes/a.txt", text: "a", mimeType: "text/plain" };
  await agent.request("session/prompt", {
    sessionId,
    prompt: [
      { type: "text", text: "edit and run" },
      { type: "resource_link", uri: "file:///home/ada/notes/main.c", name: "main.c" },
      { type: "resource", resource },
      { type: "image", data: "aGVsbG8=", mimeType: "image/png" },
    ],
  });
  await say(agent, sessionId, "elicit");
  await fails(agent.request("session/load", { sessionId: "session-9", ...folder }), -32002);
  await agent.request("_example/count", { words: ["a", "b"] });
  await fails(agent.request("_example/unknown", {}), -32601);
  const { sessions } = await agent.request("session/list", {});
  await agent.request("session/load", { sessionId: sessions[0].sessionId, ...folder });
  await say(agent, sessions[0].sessionId, "hello");
  await agent.request("session/resume", { sessionId: sessions[0].sessionId, ...folder });
  await agent.request("session/close", { sessionId: sessions[0].sessionId });
  await agent.request("session/delete", { sessionId: sessions[0].sessionId });
  await agent.request("logout", {});
}

async function cancel(agent) {
  const { sessionId } = await agent.request("session/new", folder);
  await new Promise((done) => setTimeout(done, 100));
  await say(agent, sessionId, "wait");
  cancelInPermission = true;
  await say(agent, sessionId, "edit");
}

async function small(agent) {
  const { sessionId } = await agent.request("session/new", folder);
  await say(agent, sessionId, "Hello, agent!");
}

const stream = acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
await app.connectWith(stream, async (agent) => {
  await agent.request("initialize", {
    protocolVersion: 1,
    clientInfo: { name: "example-client", version: "1.0.0" },
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true }, terminal: true, elicitation: { form: {}, url: {} },
      session: { configOptions: { boolean: {} } },
    },
  });
  await { all, cancel, small }[script](agent);
});
agent.stdin.end();
await new Promise((done) => agent.on("exit", done));
