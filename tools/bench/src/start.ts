import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Benchmark } from './benchmark.js';
import { median } from './median.js';

const root = resolve(import.meta.dirname, '../../..');

/**
 * Second `npm start`: seconds until the addresses are printed, compared with an `npm start` that prints one line and
 * does nothing else.
 */
export const start: Benchmark = {
  name: 'start',
  about: 'second npm start until its addresses are printed, beside an npm start that only prints a line',
  async run({ runs = 5, log }) {
    const bare = await mkdtemp(join(tmpdir(), 'hubwatch-bench-'));
    await writeFile(
      join(bare, 'package.json'),
      JSON.stringify({ scripts: { start: 'node -e "console.log(\'/metrics\')"' } }),
    );
    await measure(root);
    const ours: Run[] = [];
    const peers: Run[] = [];
    for (let round = 1; round <= runs; round++) {
      ours.push(await measure(root));
      peers.push(await measure(bare));
      log(`  round ${round}: ours ${format(ours.at(-1))}, bare npm start ${format(peers.at(-1))}`);
    }
    await rm(bare, { recursive: true });
    const unclean = ours.find(({ endSeconds, exitCode }) => endSeconds > 2 || exitCode !== 0);
    if (unclean !== undefined) {
      throw new Error(
        `Ctrl-C ended npm start after ${unclean.endSeconds.toFixed(2)} s with exit code ${unclean.exitCode}; promised is 0 within 2 s`,
      );
    }
    const figure = median(ours.map((run) => run.readySeconds));
    const peer = median(peers.map((run) => run.readySeconds));
    return {
      figure,
      target: 3,
      unit: 's',
      figures: {
        'floor: npm start that prints one line': `${peer.toFixed(2)} s`,
        ratio: (figure / peer).toFixed(2),
        'Ctrl-C to end': `${median(ours.map((run) => run.endSeconds)).toFixed(2)} s (target 2)`,
      },
    };
  },
};

interface Run {
  readonly readySeconds: number;
  readonly endSeconds: number;
  readonly exitCode: number | null;
}

function format(run: Run | undefined): string {
  return run === undefined ? '' : `${run.readySeconds.toFixed(2)} s`;
}

/**
 * Starts, waits for the line with /metrics, then ends it like Ctrl-C in a terminal: with a signal to the whole process
 * group.
 */
function measure(folder: string): Promise<Run> {
  return new Promise((done, failed) => {
    const began = performance.now();
    const child = spawn('npm', ['start'], { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    let readySeconds: number | undefined;
    let signalled = 0;
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (readySeconds !== undefined || !text.includes('/metrics')) return;
      readySeconds = (performance.now() - began) / 1000;
      signalled = performance.now();
      if (child.pid !== undefined && folder === root) process.kill(-child.pid, 'SIGINT');
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', failed);
    child.on('close', (exitCode) => {
      if (readySeconds === undefined) failed(new Error(`npm start ended before it printed an address:\n${text}`));
      else done({ readySeconds, endSeconds: (performance.now() - signalled) / 1000, exitCode });
    });
  });
}
