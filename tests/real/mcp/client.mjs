// The official MCP client as a host: node client.mjs COMMAND ARGUMENTS... starts the server so, talks
// to it, and prints what it saw as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";

const [command, ...args] = process.argv.slice(2);
const saw = { asked: [], progress: [], logged: [] };

const client = new Client(
  { name: "midwire-test", version: "1" },
  { capabilities: { roots: { listChanged: true }, sampling: {} } },
);
const logged = new Promise((resolve) => {
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    saw.logged.push(params.data);
    resolve();
  });
});
client.setRequestHandler(ListRootsRequestSchema, ({ method }) => {
  saw.asked.push(method);
  return { roots: [{ uri: "file:///srv/notes", name: "Notes" }] };
});
client.setRequestHandler(CreateMessageRequestSchema, ({ method, params }) => {
  saw.asked.push([method, params.messages]);
  const content = { type: "text", text: "with milk" };
  return { role: "assistant", model: "none", content, stopReason: "endTurn" };
});

const transport = new StdioClientTransport({ command, args, stderr: "inherit" });
await client.connect(transport); // initialize, notifications/initialized
saw.server = client.getServerVersion();
// The server asks for the roots, and says so in its log.
await logged;
saw.tools = (await client.listTools()).tools;
const echo = { name: "echo", arguments: { message: "Grüße 👋 \u202e" } };
saw.echo = await client.callTool(echo);
const slow = { duration: 0.2, steps: 4 };
saw.slow = await client.callTool(
  { name: "trigger-long-running-operation", arguments: slow },
  undefined,
  { onprogress: (progress) => saw.progress.push(progress) },
);
const ask = { prompt: "tea?", maxTokens: 9 };
saw.sampled = await client.callTool({ name: "trigger-sampling-request", arguments: ask });
// Two at once.
saw.sums = await Promise.all(
  [1, 2].map((b) => client.callTool({ name: "get-sum", arguments: { a: 40, b } })),
);
saw.refused = await client
  .readResource({ uri: "demo://no/such/resource" })
  .catch((error) => [error.code, error.message]);
await client.close();
console.log(JSON.stringify(saw));
