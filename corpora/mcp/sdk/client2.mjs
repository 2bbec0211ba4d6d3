// An example client of the Model Context Protocol with the official SDK, version 2.
// Usage: node client2.mjs PLUGIN COMMAND...
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "example-client", version: "2.0.0" }, {
  capabilities: { roots: {}, sampling: {}, elicitation: { form: {}, url: {} } },
  versionNegotiation: { mode: { pin: "2026-07-28" } },
});
client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///home/ada/notes", name: "Notes" }] }));
client.setRequestHandler("sampling/createMessage", () => ({
  role: "assistant", model: "example-small", stopReason: "endTurn",
  content: { type: "text", text: "with milk" },
}));
client.setRequestHandler("elicitation/create", ({ params }) => {
  return params.mode === "url" ? { action: "accept" } : { action: "accept", content: { sugar: 2 } };
});
for (const what of ["tools/list_changed", "resources/list_changed", "resources/updated"]) {
  client.setNotificationHandler(`notifications/${what}`, () => {});
}

async function fails(promise, code) {
  const error = await promise.then(() => undefined, (error) => error);
  if (error?.code !== code) throw new Error(`expected error ${code}, got ${error?.code}`);
}

const call = (method, params = {}) => client.request({ method, params });
const tool = (name, args = {}, more = {}) => call("tools/call", { name, arguments: args, ...more });

async function features() {
  await call("server/discover");
  const { nextCursor } = await call("tools/list");
  await call("tools/list", { cursor: nextCursor });
  await tool("add", { a: 40, b: 2 });
  await tool("add", { a: 40, b: "2" });
  const _meta = { progressToken: "job-1", "io.modelcontextprotocol/logLevel": "info" };
  await tool("count", { to: 3 }, { _meta });
  await tool("ask");
  await fails(tool("none"), -32602);
  await call("resources/list");
  await call("resources/templates/list");
  await call("resources/read", { uri: "note:///tea" });
  await fails(call("resources/read", { uri: "note:///gone" }), -32602);
  const lists = { toolsListChanged: true, resourcesListChanged: true };
  const subscription = await client.listen({ ...lists, resourceSubscriptions: ["note:///tea"] });
  await tool("write");
  await new Promise((done) => setTimeout(done, 100));
  await subscription.close();
  await call("prompts/list");
  await call("prompts/get", { name: "greet", arguments: { who: "Ada" } });
  const argument = { name: "who", value: "A" };
  await call("completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument });
}

await client.connect(new StdioClientTransport({ command, args, stderr: "inherit" }));
await features();
await client.close();
