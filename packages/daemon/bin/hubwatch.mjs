#!/usr/bin/env node
// Checks the version of Node before it imports newer code, so that an old version prints an error text instead of a stack.
import { existsSync } from 'fs';

const program = new URL('../dist/main.js', import.meta.url);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`hubwatch needs Node 20.19 or newer; this is Node ${process.versions.node}\n`);
  process.exitCode = 1;
} else if (existsSync(program)) import(program.href);
else {
  process.stderr.write('hubwatch is not built; build it with: npx nx run @hubwatch/daemon:build\n');
  process.exitCode = 1;
}
