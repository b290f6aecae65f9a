// Runs before codegen is packed, in its folder: copies the proto files, their descriptors and the spec into hub/.
// `generate --profile` uses them to generate the package with the public network's names. An unchanged file is not
// written, because another `npm pack` may be reading it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = '../..';
const config = `# What this package ships of hub v12. The descriptors are those of proto/, so that no compiler is needed.
descriptors: descriptors.binpb
spec: proto/spec
title: hub v12, REST gateway
`;

const wanted = new Map([
  ['hubwatch-codegen.yml', Buffer.from(config)],
  ['descriptors.binpb', readFileSync('fixtures/hub-v12.descriptors.binpb')],
]);
for (const entry of readdirSync(join(root, 'proto'), { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = join(entry.parentPath, entry.name);
  wanted.set(file.slice(root.length + 1), readFileSync(file));
}
for (const [path, bytes] of wanted) {
  const file = join('hub', path);
  if (existsSync(file) && readFileSync(file).equals(bytes)) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}
for (const entry of readdirSync('hub', { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !wanted.has(file.slice('hub/'.length))) rmSync(file);
}
