// An example host of `codex app-server`, with a model of its own on loopback.
// Usage: node client.mjs PLUGIN COMMAND...
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";

// The model: the Responses API with a script in place of a language model.
const message = (text) => ({
  type: "message", role: "assistant", id: "msg-1", content: [{ type: "output_text", text }],
});
const command = {
  type: "function_call", id: "fc-1", call_id: "call-1", name: "exec_command",
  arguments: JSON.stringify({ cmd: "echo two loaves > bread.txt", login: false }),
};
const replies = [[message("Tea is ready.")], [command], [message("Written.")]];
const model = createServer((request, response) => {
  request.resume().on("end", () => {
    if (!request.url.endsWith("/responses")) return response.writeHead(404).end();
    const items = replies.shift() ?? [message("Nothing more.")];
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (type, more) => {
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
    };
    send("response.created", { response: { id: "resp-1" } });
    for (const item of items) {
      if (item.type === "message") {
        send("response.output_item.added", { item: { ...item, content: [] } });
        for (const delta of item.content[0].text.split(/(?<= )/)) {
          send("response.output_text.delta", { item_id: item.id, delta });
        }
      }
      send("response.output_item.done", { item });
    }
    const usage = {
      input_tokens: 10, input_tokens_details: null, output_tokens: 3, output_tokens_details: null,
      total_tokens: 13,
    };
    send("response.completed", { response: { id: "resp-1", usage } });
    return response.end();
  });
});
await new Promise((done) => model.listen(0, "127.0.0.1", done));

const home = `${process.cwd()}/home`;
mkdirSync(home, { recursive: true });
writeFileSync(`${home}/config.toml`, `model = "example-small"
model_provider = "example"
[model_providers.example]
name = "Example"
base_url = "http://127.0.0.1:${model.address().port}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`);

const [name, ...args] = process.argv.slice(2);
const env = { ...process.env, CODEX_HOME: home };
const plugin = spawn(name, args, { stdio: ["pipe", "pipe", "inherit"], env });
const open = new Map();
const waiting = [];
let id = 0;
const send = (message) => plugin.stdin.write(`${JSON.stringify(message)}\n`);
function call(method, params) {
  id += 1;
  send({ method, id, params });
  return new Promise((done, fail) => open.set(id, { done, fail }));
}
const told = (method) => new Promise((done) => waiting.push({ method, done }));
createInterface({ input: plugin.stdout }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method !== undefined && message.id !== undefined) {
    send({ id: message.id, result: { decision: "accept" } });  // the only request: may it run this?
  } else if (message.method !== undefined) {
    for (const each of waiting.filter(({ method }) => method === message.method)) {
      waiting.splice(waiting.indexOf(each), 1);
      each.done(message.params);
    }
  } else {
    const { done, fail } = open.get(message.id);
    open.delete(message.id);
    message.error ? fail(message.error) : done(message.result);
  }
});

async function fails(promise, code) {
  const error = await promise.then(() => undefined, (error) => error);
  if (error?.code !== code) throw new Error(`expected error ${code}, got ${error?.code}`);
}

const OPT_OUT = ["configWarning", "remoteControl/status/changed"];
const clientInfo = { name: "example-host", title: "Example", version: "1.0.0" };
await call("initialize", { clientInfo, capabilities: { optOutNotificationMethods: OPT_OUT } });
send({ method: "initialized" });
const options = { approvalPolicy: "untrusted", sandbox: "workspace-write" };
const { thread } = await call("thread/start", { cwd: process.cwd(), ...options });
const threadId = thread.id;
for (const text of ["Make tea.", "Note the bread."]) {
  const end = told("turn/completed");
  await call("turn/start", { threadId, input: [{ type: "text", text }] });
  await end;
}
await fails(call("thread/read", { threadId: "01900000-0000-7000-8000-000000000000" }), -32600);
await call("thread/name/set", { threadId, name: "Tea" });
await call("thread/read", { threadId });
await call("thread/loaded/list", {});
const path = `${process.cwd()}/note.txt`;
await call("fs/writeFile", { path, dataBase64: "R3LDvMOfZQ==" });
await call("fs/readFile", { path });
await call("fs/remove", { path });
await fails(call("fs/readFile", { path }), -32603);
await call("command/exec", { command: ["echo", "tea"] });
await call("thread/unsubscribe", { threadId });
plugin.stdin.end();
await new Promise((done) => plugin.on("exit", done));
model.close();
