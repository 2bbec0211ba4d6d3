// The helper of the npm package: what fails, and what the modes record. Run by npm_test.sh.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MidwireError, mock, replay } from 'midwire/test';

const plugin = ['python3', 'plugin.py'];
const host = (words) => execFileSync('python3', ['host.py', '--', ...words]);

// A cassette of its own, and a plugin that counts one more.
function changed() {
  const folder = mkdtempSync(join(tmpdir(), 'midwire-test-'));
  const cassette = join(folder, 'notes.jsonl');
  cpSync('sessions/notes.jsonl', cassette);
  const text = readFileSync('plugin.py', 'utf8').replace('"characters": len', '"characters": 1 + len');
  writeFileSync(join(folder, 'changed.py'), text);
  return { folder, cassette, plugin: ['python3', join(folder, 'changed.py')] };
}

test('a changed plugin is an error with the report', async () => {
  const { cassette, plugin: other } = changed();
  await assert.rejects(replay(cassette, other), (error) =>
    error instanceof MidwireError && /\/result\/characters: expected/.test(error.message));
});

test('a host that sends nothing is an error with the report', async () => {
  const idle = ([command, ...words]) => execFileSync(command, [...words, '--lenient'], { input: '' });
  await assert.rejects(mock('sessions/notes.jsonl', idle), /missing/);
});

test('an error of the host is that of the mock', async () => {
  const failing = () => { throw new Error('no host'); };
  await assert.rejects(mock('sessions/notes.jsonl', failing), /no host/);
});

test('without a cassette, the error names the mode', async () => {
  await assert.rejects(mock('sessions/none.jsonl', host), /none.jsonl: no such cassette \(try MIDWIRE_RECORD=once\)/);
  await assert.rejects(replay('sessions/none.jsonl', plugin), /no such cassette/);
});

test('once records what is missing, and then plays it', async () => {
  const cassette = join(changed().folder, 'new.jsonl');
  await mock(cassette, host, { plugin, record: 'once' });
  assert(existsSync(cassette));
  await mock(cassette, host, { plugin: ['false'], record: 'once' });
});

test('all accepts what a changed plugin sends', async () => {
  const { cassette, plugin: other } = changed();
  await replay(cassette, other, { record: 'all' });
  await replay(cassette, other);
});

test('an unknown mode is an error', async () => {
  await assert.rejects(replay('sessions/notes.jsonl', plugin, { record: 'some' }), /record: not a mode: "some"/);
});
