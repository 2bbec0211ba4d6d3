// Recorded sessions as tests for node:test and vitest. test.d.mts describes each function.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const { find } = createRequire(import.meta.url)('./platform.js');
const LARGEST_OUTPUT = 64 << 20; // of a report
const PATIENCE = 10_000; // ms; on a busy machine midwire ends within one second
const MODES = ['none', 'once', 'all'];

export class MidwireError extends Error {
  name = 'MidwireError';
}

export function command() {
  const { command: found, reason } = find();
  const chosen = process.env.MIDWIRE || found;
  if (!chosen) throw new Error(reason);
  return chosen;
}

function mode(options) {
  const chosen = options.record ?? process.env.MIDWIRE_RECORD ?? 'none';
  if (!MODES.includes(chosen)) throw new Error(`record: not a mode: "${chosen}" (try ${MODES.join(', ')})`);
  return chosen;
}

function requireCassette(cassette) {
  if (!existsSync(cassette)) throw new Error(`${cassette}: no such cassette (try MIDWIRE_RECORD=once)`);
}

async function midwire(...words) {
  try {
    const done = run(command(), words, { maxBuffer: LARGEST_OUTPUT });
    done.child.stdin.end();
    return (await done).stdout;
  } catch (error) {
    if (error.stdout === undefined) throw error;
    throw new MidwireError(`exit status ${error.code ?? error.signal}\n${error.stdout}${error.stderr}`);
  }
}

// A host that ends need not wait for its plugin: midwire may take a moment longer to end too.
async function waitFor(done) {
  for (const end = Date.now() + PATIENCE; !(await done()); await pause(10)) {
    if (Date.now() > end) throw new MidwireError('the host did not start the plugin, or it has not ended yet');
  }
}

export async function replay(cassette, plugin, options = {}) {
  requireCassette(cassette);
  const update = mode(options) === 'all' ? ['--update'] : [];
  return midwire('replay', ...update, ...(options.args ?? []), cassette, '--', ...plugin);
}

export async function mock(cassette, host, options = {}) {
  const chosen = mode(options);
  const folder = mkdtempSync(join(tmpdir(), 'midwire-'));
  try {
    if (options.plugin && (chosen === 'all' || (chosen === 'once' && !existsSync(cassette)))) {
      const tape = join(folder, 'tape.pcapng');
      const result = await host([command(), 'record', '-o', tape, '--', ...options.plugin]);
      await waitFor(async () => existsSync(tape) &&
        (await midwire('show', '-n', '1', tape)).includes(' end of the recording'));
      const whole = `${cassette}.new.jsonl`;
      rmSync(whole, { force: true });
      await midwire('convert', tape, whole);
      renameSync(whole, cassette);
      return result;
    }
    requireCassette(cassette);
    const report = join(folder, 'report.txt');
    const words = [command(), 'mock', '--report', report, ...(options.args ?? []), resolve(cassette)];
    const result = await host(words);
    await waitFor(() => existsSync(report));
    const text = readFileSync(report, 'utf8');
    if (!text.trimEnd().split('\n').pop().startsWith('same')) throw new MidwireError(text);
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
