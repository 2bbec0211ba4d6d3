// An example agent of the Agent Client Protocol, version 1, with the official SDK. It has no model: "edit",
// "run", "elicit" and "wait" in a prompt select what it does. Usage: node agent.mjs
import { Readable, Writable } from "node:stream";
import * as acp from "@agentclientprotocol/sdk";

const MODES = [{ id: "ask", name: "Ask" }, { id: "code", name: "Write code" }];
const sessions = new Map();

function options(model = "small", web = false) {
  const choices = ["small", "large"].map((value) => ({ value, name: value }));
  return [
    { id: "model", name: "Model", category: "model", type: "select", currentValue: model, options: choices },
    { id: "web", name: "Search the web", type: "boolean", currentValue: web },
  ];
}

function setUp(id) {
  sessions.set(id, { cancelled: false, wake: () => {}, chosen: {} });
  return { modes: { currentModeId: "ask", availableModes: MODES }, configOptions: options() };
}

function known(id) {
  if (!sessions.has(id)) throw new acp.RequestError(-32002, "Resource not found", { sessionId: id });
  return sessions.get(id);
}

const chunk = (kind, words) => ({ sessionUpdate: kind, content: { type: "text", text: words } });

async function edit(client, sessionId, tell) {
  const call = { toolCallId: "call-1", title: "Rename x", kind: "edit" };
  const path = "/home/ada/notes/main.c";
  await tell({ sessionUpdate: "tool_call", ...call, status: "pending", locations: [{ path, line: 1 }] });
  const permission = await client.request("session/request_permission", {
    sessionId,
    toolCall: { ...call, status: "pending", rawInput: { from: "x", to: "y" } },
    options: [
      { optionId: "yes", name: "Allow", kind: "allow_once" },
      { optionId: "no", name: "Reject", kind: "reject_once" },
    ],
  });
  if (permission.outcome.outcome === "cancelled") return;
  const { content } = await client.request("fs/read_text_file", { sessionId, path, line: 1, limit: 20 });
  const newText = content.replaceAll("x", "y");
  await client.request("fs/write_text_file", { sessionId, path, content: newText });
  const done = { toolCallId: "call-1", status: "completed" };
  const diff = { type: "diff", path, oldText: content, newText };
  await tell({ sessionUpdate: "tool_call_update", ...done, content: [diff] });
}

async function run(client, sessionId, tell) {
  const terminal = (method) => client.request(`terminal/${method}`, { sessionId, terminalId });
  const { terminalId } = await client.request("terminal/create", {
    sessionId, command: "make", args: ["test"], cwd: "/home/ada/notes", outputByteLimit: 1000,
    env: [{ name: "TOKEN", value: "not-a-secret" }],
  });
  const content = [{ type: "terminal", terminalId }];
  const call = { toolCallId: "call-2", title: "make test", kind: "execute" };
  await tell({ sessionUpdate: "tool_call", ...call, status: "in_progress", content });
  const ended = await terminal("wait_for_exit");
  const { output } = await terminal("output");
  await terminal("kill");
  await terminal("release");
  const status = ended.exitCode === 0 ? "completed" : "failed";
  await tell({ sessionUpdate: "tool_call_update", toolCallId: "call-2", status, rawOutput: { output } });
}

async function elicit(client, sessionId, tell) {
  const fields = { colour: { type: "string", enum: ["red", "blue"] }, size: { type: "integer", minimum: 1 } };
  const form = await client.request("elicitation/create", {
    mode: "form", sessionId, message: "Which one?",
    requestedSchema: { type: "object", properties: fields, required: ["colour"] },
  });
  await tell(chunk("agent_message_chunk", `${form.action} ${form.content?.colour}`));
  await client.request("elicitation/create", {
    mode: "url", sessionId, message: "Sign in", elicitationId: "sign-in-1", url: "https://login.example/ada",
  });
  await client.notify("elicitation/complete", { elicitationId: "sign-in-1" });
}

async function prompt({ params, client }) {
  const { sessionId } = params;
  const session = known(sessionId);
  session.cancelled = false;
  const tell = (update) => client.notify("session/update", { sessionId, update });
  const words = params.prompt.map((block) => block.text ?? block.type).join(" ");
  const steps = ["Read", "Write"].map((content) => ({ content, priority: "medium", status: "pending" }));
  await tell(chunk("agent_thought_chunk", "What is to be done?"));
  await tell({ sessionUpdate: "plan", entries: steps });
  if (words.includes("edit")) await edit(client, sessionId, tell);
  if (words.includes("run")) await run(client, sessionId, tell);
  if (words.includes("elicit")) await elicit(client, sessionId, tell);
  if (words.includes("wait") && !session.cancelled) await new Promise((done) => (session.wake = done));
  if (session.cancelled) return { stopReason: "cancelled" };
  for (const part of ["Done: ", words, " 👋"]) await tell(chunk("agent_message_chunk", part));
  await tell({ sessionUpdate: "usage_update", used: 1200, size: 200000 });
  return { stopReason: "end_turn" };
}

const app = acp.agent({ name: "example-agent" })
  .onRequest("initialize", () => ({
    protocolVersion: 1,
    agentInfo: { name: "example-agent", title: "Example", version: "1.0.0" },
    authMethods: [{ id: "local", name: "Local account" }],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      auth: { logout: {} },
    },
  }))
  .onRequest("authenticate", () => ({}))
  .onRequest("logout", () => ({}))
  .onRequest("session/new", ({ client }) => {
    const sessionId = `session-${sessions.size + 1}`;
    const availableCommands = [{ name: "test", description: "Runs the tests", input: { hint: "a filter" } }];
    const update = { sessionUpdate: "available_commands_update", availableCommands };
    setTimeout(() => client.notify("session/update", { sessionId, update }), 20);
    return { sessionId, ...setUp(sessionId) };
  })
  .onRequest("session/load", async ({ params, client }) => {
    const { sessionId } = params;
    if (sessionId !== "session-0") throw new acp.RequestError(-32002, "Resource not found", { sessionId });
    for (const update of [chunk("user_message_chunk", "Hello"), chunk("agent_message_chunk", "Hello, Ada")]) {
      await client.notify("session/update", { sessionId, update });
    }
    return setUp(sessionId);
  })
  .onRequest("session/resume", ({ params }) => setUp(params.sessionId))
  .onRequest("session/list", () => ({
    sessions: [{ sessionId: "session-0", cwd: "/home/ada/notes", title: "Yesterday" }],
  }))
  .onRequest("session/set_mode", async ({ params, client }) => {
    known(params.sessionId);
    const update = { sessionUpdate: "current_mode_update", currentModeId: params.modeId };
    await client.notify("session/update", { sessionId: params.sessionId, update });
    return {};
  })
  .onRequest("session/set_config_option", ({ params }) => {
    const { chosen } = known(params.sessionId);
    chosen[params.configId] = params.value;
    return { configOptions: options(chosen.model, chosen.web) };
  })
  .onRequest("session/prompt", prompt)
  .onNotification("session/cancel", ({ params }) => {
    const session = known(params.sessionId);
    session.cancelled = true;
    session.wake();
  })
  .onRequest("session/close", ({ params }) => {
    known(params.sessionId);
    return {};
  })
  .onRequest("session/delete", () => ({}))
  .onRequest("_example/count", (params) => params, ({ params }) => ({ count: params.words.length }));

const stream = acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
await app.connect(stream).closed;
