// Run by restore-kill.test.ts: restores a backup and kills itself before the n-th rename, link or removal.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [path = '', backup = '', killAt = ''] = process.argv.slice(2);
let changes = 0;
const dieInTime = (): void => {
  changes += 1;
  if (changes === Number(killAt)) process.kill(process.pid, 'SIGKILL');
};
for (const name of ['renameSync', 'linkSync', 'rmSync'] as const) {
  const original = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name](...args: unknown[]) {
      dieInTime();
      return original(...args);
    },
  });
}
syncBuiltinESMExports();

const { restoreStore } = await import('../src/store/restore.js');
await restoreStore(path, backup, { chainId: undefined, nowMs: Date.UTC(2026, 10, 29) });
process.stdout.write(`restored after ${changes} changes\n`);
