'use strict';
// Puts the command itself in the place of the launcher: a start through node costs 40 ms. Whatever goes wrong, the
// launcher stays, and works.
const fs = require('fs');
const path = require('path');
const { find } = require('./platform.js');

const { command, reason } = find();
if (!command) {
  console.error(reason);
} else {
  const launcher = path.join(__dirname, 'bin', 'midwire');
  const whole = `${launcher}.new`;
  try {
    fs.rmSync(whole, { force: true });
    try {
      fs.linkSync(command, whole);
    } catch {
      fs.copyFileSync(command, whole); // another file system
      fs.chmodSync(whole, 0o755);
    }
    fs.renameSync(whole, launcher);
    // What the command looks for beside it.
    const own = path.dirname(path.dirname(command));
    for (const folder of ['lib', 'share']) {
      fs.cpSync(path.join(own, folder), path.join(__dirname, folder), { recursive: true });
    }
  } catch (error) {
    console.error(`midwire: starts through node, as ${error.message}`);
  }
}
