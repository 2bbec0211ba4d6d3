// An example server of the Model Context Protocol with the official SDK, version 1 (any of it): a shelf of
// notes. Usage: node server.mjs [tasks]   tasks: as of 2025-11-25; needs version 1.24 of the SDK
import * as mcp from "@modelcontextprotocol/sdk/types.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const withTasks = process.argv[2] === "tasks";
const NUMBER = { type: "number" };
const TOOLS = [
  { name: "add", description: "Adds two numbers",
    inputSchema: { type: "object", properties: { a: NUMBER, b: NUMBER }, required: ["a", "b"] } },
  { name: "count", description: "Counts slowly",
    inputSchema: { type: "object", properties: { to: NUMBER } } },
  { name: "ask", description: "Asks the model and the user", inputSchema: { type: "object" } },
];
const notes = new Map([["note:///tea", "Grüße 👋"], ["note:///bread", "two loaves"]]);
const text = (words) => ({ type: "text", text: words });

const capabilities = {
  logging: {}, prompts: { listChanged: true }, resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true }, completions: {},
  ...(withTasks && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
};
let store;
if (withTasks) {
  const stores = await import("@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js");
  store = new stores.InMemoryTaskStore();
}
const server = new Server({ name: "example-notes", version: "1.0.0" }, { capabilities, taskStore: store });

async function ask() {
  const parts = [];
  const able = server.getClientCapabilities();
  if (able.roots) parts.push((await server.listRoots()).roots[0].uri);
  if (able.sampling) {
    const messages = [{ role: "user", content: text("tea?") }];
    const tools = able.sampling.tools ? { tools: [TOOLS[0]], toolChoice: { mode: "auto" } } : {};
    const said = await server.createMessage({ messages, maxTokens: 9, ...tools });
    parts.push(said.content.text ?? said.content[0].type);
  }
  if (able.elicitation) {
    const colour = { type: "string", enum: ["red", "blue"] };
    const colours = able.elicitation.form ? { type: "array", items: colour } : colour;
    const requestedSchema = { type: "object", properties: { sugar: { type: "integer" }, colours } };
    const form = await server.elicitInput({ message: "How much?", requestedSchema });
    parts.push(`${form.action} ${JSON.stringify(form.content)}`);
  }
  if (able.elicitation?.url) {
    const elicitationId = "sign-in-1";
    const url = "https://login.example/ada";
    await server.elicitInput({ mode: "url", message: "Sign in", elicitationId, url });
    await server.notification({ method: "notifications/elicitation/complete", params: { elicitationId } });
  }
  return { content: [text(parts.join(", "))] };
}

async function start(params, extra) {
  const task = await extra.taskStore.createTask({ ttl: params.task.ttl, pollInterval: 100 });
  const result = { content: [text("done")] };
  setTimeout(() => extra.taskStore.storeTaskResult(task.taskId, "completed", result), 150);
  return { task };
}

server.setRequestHandler(mcp.ListToolsRequestSchema, ({ params }) => {
  if (params?.cursor === "more") return { tools: TOOLS.slice(2) };
  return { tools: TOOLS.slice(0, 2), nextCursor: "more" };
});
server.setRequestHandler(mcp.CallToolRequestSchema, async ({ params }, extra) => {
  if (params.task) return start(params, extra);
  if (params.name === "add") {
    const { a, b } = params.arguments;
    if (typeof b !== "number") return { content: [text("b is not a number")], isError: true };
    return { content: [text(String(a + b))] };
  }
  if (params.name === "count") {
    const progressToken = params._meta?.progressToken;
    const { to } = params.arguments;
    for (let progress = 1; progress <= to; progress++) {
      const params = { progressToken, progress, total: 3 };
      await server.notification({ method: "notifications/progress", params });
    }
    await server.sendLoggingMessage({ level: "warning", logger: "notes", data: "counted" });
    return { content: [text("done")] };
  }
  if (params.name === "ask") return ask();
  throw new mcp.McpError(mcp.ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
});
server.setRequestHandler(mcp.ListResourcesRequestSchema, () => ({
  resources: [...notes.keys()].map((uri) => ({ uri, name: uri.slice(8), mimeType: "text/plain" })),
}));
server.setRequestHandler(mcp.ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [{ uriTemplate: "note:///{name}", name: "note" }],
}));
server.setRequestHandler(mcp.ReadResourceRequestSchema, ({ params: { uri } }) => {
  if (!notes.has(uri)) throw new mcp.McpError(-32002, "Resource not found", { uri });
  return { contents: [{ uri, mimeType: "text/plain", text: notes.get(uri) }] };
});
server.setRequestHandler(mcp.SubscribeRequestSchema, async ({ params: { uri } }) => {
  setTimeout(async () => {
    await server.sendResourceUpdated({ uri });
    await server.sendResourceListChanged();
    await server.sendToolListChanged();
  }, 50);
  return {};
});
server.setRequestHandler(mcp.UnsubscribeRequestSchema, () => ({}));
server.setRequestHandler(mcp.ListPromptsRequestSchema, () => ({
  prompts: [{ name: "greet", description: "A greeting", arguments: [{ name: "who", required: true }] }],
}));
server.setRequestHandler(mcp.GetPromptRequestSchema, ({ params }) => ({
  messages: [{ role: "user", content: text(`Greet ${params.arguments.who}.`) }],
}));
server.setRequestHandler(mcp.CompleteRequestSchema, ({ params }) => ({
  completion: { values: ["Ada", "Alan", "Grace"].filter((name) => name.startsWith(params.argument.value)) },
}));
server.setRequestHandler(mcp.SetLevelRequestSchema, () => ({}));

process.stdin.on("end", () => process.exit(0));
await server.connect(new StdioServerTransport());
