// Writes the store of a new version to packages/daemon/test/stores; to be run once after a migration was added.
import { writeMissingStores } from './store-text.js';

for (const path of writeMissingStores()) process.stdout.write(`wrote ${path}\n`);
