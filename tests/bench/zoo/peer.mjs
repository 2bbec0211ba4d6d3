// The correct peer (peer.h), a smaller one, for node: node peer.mjs none line
import process from 'node:process';

const MAX_BODY = 4 << 20;
const state = { initialized: false, shut: false, handles: new Map(), opened: 0, asks: 0, asked: new Map() };

const error = (code, message, id = null) => ({ jsonrpc: '2.0', id, error: { code, message } });
const say = (message) => {
  let text;
  try {
    text = JSON.stringify(message);
  } catch {
    // JSON.parse reads what is deeper than it writes.
    text = JSON.stringify(error(-32603, 'too deep to be written', message.id ?? null));
  }
  process.stdout.write(text + '\n');
};

class Refused extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

const text = (params, name, code = -32602) => {
  if (typeof params[name] !== 'string') throw new Refused(code, `a ${name}`);
  return params[name];
};
const handle = (params) => {
  const name = text(params, 'handle', -32001);
  if (!state.handles.has(name)) throw new Refused(-32001, 'no such handle');
  return name;
};

const methods = new Map(Object.entries({
  echo: (params) => {
    const value = Object.hasOwn(params, 'value') ? params.value : null;
    return { value, label: typeof value === 'string' ? [...value].slice(0, 24).join('') : 'value' };
  },
  add: (params) => {
    if (!Number.isFinite(params.a) || !Number.isFinite(params.b)) throw new Refused(-32602, 'two numbers');
    const sum = params.a + params.b;
    if (!(Math.abs(sum) < 1e15)) throw new Refused(-32000, 'too large');
    return { sum: Math.trunc(sum) };
  },
  open: (params) => {
    const name = text(params, 'name');
    if (state.handles.size >= 256) throw new Refused(-32000, 'too many are open');
    const made = `h-${1000 + 7 * ++state.opened}`;
    state.handles.set(made, name.slice(0, 4096));
    return { handle: made };
  },
  read: (params) => ({ text: 'text of ' + state.handles.get(handle(params)) }),
  close: (params) => {
    state.handles.delete(handle(params));
    return null;
  },
  later: (params) => new Promise((done) => {
    setImmediate(() => done({ text: typeof params.text === 'string' ? params.text : '' }));
  }),
  '$/cancel': () => null,
  confirm: (params) => new Promise((done) => {
    if (state.asked.size >= 256) throw new Refused(-32000, 'too much waits');
    const id = `p-${++state.asks}`;
    state.asked.set(id, (result) => {
      const answer = result?.answer;
      done({ answer: typeof answer === 'string' ? answer : 'none' });
    });
    const question = typeof params.question === 'string' ? params.question : 'sure?';
    say({ jsonrpc: '2.0', id, method: 'host/ask', params: { question } });
  }),
}));

async function call(method, params, asks) {
  if (method === 'initialize') {
    if (state.initialized) throw new Refused(-32600, 'initialized already');
    state.initialized = true;
    return { name: 'zoo', version: 1, levels: ['error', 'info', 'debug'] };
  }
  if (method === 'exit') process.exit(state.shut ? 0 : 1);
  if (!state.initialized) throw new Refused(-32002, 'not initialized');
  if (state.shut) throw new Refused(-32600, 'shut down already');
  if (method === 'initialized') return null;
  if (method === 'shutdown') {
    state.shut = asks;
    return null;
  }
  if (method === 'confirm' && !asks) return null;
  if (!methods.has(method)) throw new Refused(-32601, 'no such method');
  return methods.get(method)(params);
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

async function one(message) {
  if (!isObject(message)) return error(-32600, 'no message');
  const { method, id } = message;
  const asks = Object.hasOwn(message, 'id');
  const usable = !asks || id === null || typeof id === 'string' || Number.isFinite(id);
  const answers = Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error');
  if (!Object.hasOwn(message, 'method') && answers) {
    const waiting = state.asked.get(id);
    state.asked.delete(id);
    waiting?.(message.result);
    return null;
  }
  if (typeof method !== 'string' || !usable) return error(-32600, 'no request', usable ? id : null);
  let answer;
  try {
    let params = message.params ?? {};
    if (Array.isArray(params) && params.length === 0) params = {};
    if (!isObject(params)) throw new Refused(-32602, 'params are an object');
    answer = { jsonrpc: '2.0', id, result: await call(method, params, asks) };
  } catch (wrong) {
    answer = error(wrong instanceof Refused ? wrong.code : -32603, wrong.message, id);
  }
  return asks ? answer : null;
}

async function body(bytes) {
  let message;
  try {
    message = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return say(error(-32700, 'this is no JSON'));
  }
  if (!Array.isArray(message)) {
    const answer = await one(message);
    if (answer) say(answer);
  } else if (message.length === 0) {
    say(error(-32600, 'an empty batch'));
  } else {
    const answers = (await Promise.all(message.map(one))).filter((answer) => answer !== null);
    if (answers.length > 0) say(answers);
  }
}

let buffer = Buffer.alloc(0);
let skipping = false;
process.stdin.on('data', (bytes) => {
  buffer = Buffer.concat([buffer, bytes]);
  for (let end; (end = buffer.indexOf(10)) >= 0;) {
    const line = buffer.subarray(0, end);
    buffer = buffer.subarray(end + 1);
    if (skipping) say(error(-32600, 'the line is too long'));
    else if (line.toString('latin1').trim() !== '') body(line);
    skipping = false;
  }
  if (buffer.length > MAX_BODY) {
    buffer = Buffer.alloc(0);
    skipping = true;
  }
});
