// Writes the store of a new version to packages/daemon/test/stores. Run it once after adding a migration.
import { writeMissingStores } from './store-text.js';

for (const path of writeMissingStores()) process.stdout.write(`wrote ${path}\n`);
