// An example server of the Model Context Protocol with the official SDK, version 2: a shelf of notes.
// Usage: node server2.mjs
import { ProtocolError, Server, inputRequired } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const NUMBER = { type: "number" };
const TOOLS = [
  { name: "add", description: "Adds two numbers",
    inputSchema: { type: "object", properties: { a: NUMBER, b: NUMBER }, required: ["a", "b"] } },
  { name: "count", description: "Counts slowly",
    inputSchema: { type: "object", properties: { to: NUMBER } } },
  { name: "ask", description: "Asks the user and the model", inputSchema: { type: "object" } },
  { name: "write", description: "Writes a note", inputSchema: { type: "object" } },
];
const notes = new Map([["note:///tea", "Grüße 👋"], ["note:///bread", "two loaves"]]);
const text = (words) => ({ type: "text", text: words });

// Input comes in two rounds: the user's and the model's, then the roots.
function ask(ctx) {
  const state = ctx.mcpReq.requestState();
  if (!state) {
    const properties = { sugar: { type: "integer" } };
    const requestedSchema = { type: "object", properties, required: ["sugar"] };
    const messages = [{ role: "user", content: text("tea?") }];
    return inputRequired({
      inputRequests: {
        form: inputRequired.elicit({ message: "How much?", requestedSchema }),
        model: inputRequired.createMessage({ messages, maxTokens: 9 }),
      },
      requestState: "round-2",
    });
  }
  if (state === "round-2") {
    const url = "https://login.example/ada";
    return inputRequired({
      inputRequests: {
        login: inputRequired.elicitUrl({ message: "Sign in", url }),
        roots: inputRequired.listRoots(),
      },
      requestState: "round-3",
    });
  }
  return { content: [text(Object.keys(ctx.mcpReq.inputResponses).join(", "))] };
}

function build() {
  const server = new Server({ name: "example-notes", version: "2.0.0" }, {
    capabilities: {
      logging: {}, prompts: { listChanged: true }, resources: { subscribe: true, listChanged: true },
      tools: { listChanged: true }, completions: {},
    },
  });
  server.setRequestHandler("tools/list", ({ params }) => {
    if (params?.cursor === "more") return { tools: TOOLS.slice(2) };
    return { tools: TOOLS.slice(0, 2), nextCursor: "more" };
  });
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    if (params.name === "add") {
      const { a, b } = params.arguments;
      if (typeof b !== "number") return { content: [text("b is not a number")], isError: true };
      return { content: [text(String(a + b))], structuredContent: [a + b] };
    }
    if (params.name === "count") {
      const progressToken = params._meta?.progressToken;
      const { to } = params.arguments;
      for (let progress = 1; progress <= to; progress++) {
        const params = { progressToken, progress, total: 3 };
        await ctx.mcpReq.notify({ method: "notifications/progress", params });
      }
      await ctx.mcpReq.log("warning", "counted", "notes");
      return { content: [text("done")] };
    }
    if (params.name === "ask") return ask(ctx);
    if (params.name === "write") {
      await server.sendResourceUpdated({ uri: "note:///tea" });
      await server.sendResourceListChanged();
      await server.sendToolListChanged();
      return { content: [text("written")] };
    }
    throw new ProtocolError(-32602, `Unknown tool: ${params.name}`);
  });
  server.setRequestHandler("resources/list", () => ({
    resources: [...notes.keys()].map((uri) => ({ uri, name: uri.slice(8), mimeType: "text/plain" })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "note:///{name}", name: "note" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    if (!notes.has(uri)) throw new ProtocolError(-32602, "Resource not found", { uri });
    return { contents: [{ uri, mimeType: "text/plain", text: notes.get(uri) }] };
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: [{ name: "greet", description: "A greeting", arguments: [{ name: "who", required: true }] }],
  }));
  server.setRequestHandler("prompts/get", ({ params }) => ({
    messages: [{ role: "user", content: text(`Greet ${params.arguments.who}.`) }],
  }));
  server.setRequestHandler("completion/complete", ({ params }) => ({
    completion: { values: ["Ada", "Alan", "Grace"].filter((name) => name.startsWith(params.argument.value)) },
  }));
  return server;
}

serveStdio(build);
