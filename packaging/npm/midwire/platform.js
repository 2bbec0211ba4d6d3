'use strict';
// Where the package of this platform has the command, or null with a reason.
const path = require('path');

const ELSEWHERE = 'midwire: runs on Linux on x86-64 only; elsewhere use the image (packaging/README.md)';
const MISSING = 'midwire: the package midwire-linux-x64 is missing (install without --omit=optional)';

function find() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { command: null, reason: ELSEWHERE };
  try {
    const folder = path.dirname(require.resolve('midwire-linux-x64/package.json'));
    return { command: path.join(folder, 'bin', 'midwire'), reason: '' };
  } catch {
    return { command: null, reason: MISSING };
  }
}

module.exports = { find };
