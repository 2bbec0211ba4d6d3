// An example client of the Model Context Protocol with the official SDK, version 1 (any of it).
// Usage: node client.mjs ERA PLUGIN COMMAND...   ERA: what it declares: sampling, elicitation or tasks
import * as mcp from "@modelcontextprotocol/sdk/types.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [era, command, ...args] = process.argv.slice(2);
const USE = { type: "tool_use", id: "t1", name: "add", input: { a: 1, b: 2 } };
const TEXT = { type: "text", text: "with milk" };
const elicits = era !== "sampling";
const modern = era === "tasks";
const capabilities = {
  roots: { listChanged: true }, sampling: modern ? { tools: {} } : {},
  ...(elicits && { elicitation: modern ? { form: {}, url: {} } : {} }),
};
const client = new Client({ name: "example-client", version: "1.0.0" }, { capabilities });
const any = { parse: (value) => value, safeParse: (value) => ({ success: true, data: value }) };
const call = (method, params) => client.request({ method, params }, mcp.ResultSchema ?? any);

async function fails(promise, code) {
  const error = await promise.then(() => undefined, (error) => error);
  if (error?.code !== code) throw new Error(`expected error ${code}, got ${error?.code}`);
}

client.setRequestHandler(mcp.ListRootsRequestSchema, () => ({
  roots: [{ uri: "file:///home/ada/notes", name: "Notes" }],
}));
client.setRequestHandler(mcp.CreateMessageRequestSchema, () => ({
  role: "assistant", model: "example-small",
  ...(modern ? { stopReason: "toolUse", content: [USE] } : { stopReason: "endTurn", content: TEXT }),
}));
if (elicits) {
  client.setRequestHandler(mcp.ElicitRequestSchema, ({ params }) => {
    if (params.mode === "url") return { action: "accept" };
    return { action: "accept", content: { sugar: 2, colours: modern ? ["red", "blue"] : "red" } };
  });
}

async function features() {
  await call("ping");
  const { nextCursor } = await call("tools/list", {});
  await call("tools/list", { cursor: nextCursor });
  await call("tools/call", { name: "add", arguments: { a: 40, b: 2 } });
  await call("tools/call", { name: "add", arguments: { a: 40, b: "2" } });
  await call("logging/setLevel", { level: "info" });
  await call("tools/call", { name: "count", arguments: { to: 3 }, _meta: { progressToken: "job-1" } });
  await call("tools/call", { name: "ask", arguments: {} });
  await fails(call("tools/call", { name: "none", arguments: {} }), -32602);
  await call("resources/list", {});
  await call("resources/templates/list", {});
  await call("resources/read", { uri: "note:///tea" });
  await fails(call("resources/read", { uri: "note:///gone" }), -32002);
  await call("resources/subscribe", { uri: "note:///tea" });
  await new Promise((done) => setTimeout(done, 200));
  await call("resources/unsubscribe", { uri: "note:///tea" });
  await call("prompts/list", {});
  await call("prompts/get", { name: "greet", arguments: { who: "Ada" } });
  const argument = { name: "who", value: "A" };
  await call("completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument });
  await client.sendRootsListChanged();
}

async function tasks() {
  const { task } = await call("tools/call", { name: "count", arguments: { to: 3 }, task: { ttl: 60000 } });
  const { taskId } = task;
  await call("tasks/get", { taskId });
  await call("tasks/result", { taskId });
  await call("tasks/list", {});
  const second = await call("tools/call", { name: "count", arguments: { to: 3 }, task: { ttl: 60000 } });
  await call("tasks/cancel", { taskId: second.task.taskId });
}

await client.connect(new StdioClientTransport({ command, args, stderr: "inherit" }));
await features();
if (modern) await tasks();
await client.close();
