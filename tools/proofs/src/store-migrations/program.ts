// Run by the proof store-migrations and killed at any moment: opens a store, which migrates it.
import { openStore } from '@hubwatch/daemon/parts';

process.stdout.write('opening\n');
openStore(process.argv[2] ?? '');
process.stdout.write('migrated\n');
process.exit(0);
