// As notes.test.mjs, in vitest. Run by npm_test.sh.
import { execFileSync } from 'node:child_process';
import { test } from 'vitest';
import { mock, replay } from 'midwire/test';

test('the plugin', () => replay('sessions/notes.jsonl', ['python3', 'plugin.py']));

test('the host', () =>
  mock('sessions/notes.jsonl', (plugin) => execFileSync('python3', ['host.py', '--', ...plugin])));
