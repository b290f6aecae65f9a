import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackedPrograms } from '@hubwatch/bench/consumers';
import { rules } from '@hubwatch/daemon/parts';
import { isMute, rightChain, startChainEndpoints } from './chain-endpoints.js';
import { toldBy } from './judge.js';
import type { Killed, KilledKind, Setting } from './killed.js';

const [wrongChain, mute] = ['HubChainIdChanged', 'HubEndpointDown'] as const;

/** The whole packed and installed daemon in real time, with endpoints that serve the states of the world. */
export const killedDaemon = (programs: PackedPrograms): KilledKind => ({
  name: 'packed',
  subjects: [...Array.from({ length: 6 }, (_, index) => `s${index}`), 'd0', 'd1'],
  ...{ changeShare: 0.25, retryAfterS: 2, rounds: 4, startMs: 1_500 },
  prepare: (setting) => prepareDaemon(programs, setting),
});

async function prepareDaemon(programs: PackedPrograms, { folder, notifiers, random, seen }: Setting): Promise<Killed> {
  const chain = await startChainEndpoints(seen);
  const config = join(folder, 'hubwatch.yml');
  const store = join(folder, 'hubwatch.db');
  writeFileSync(
    config,
    JSON.stringify({
      network: { chain_id: rightChain },
      endpoints: chain.endpoints,
      poll: { endpoints: '300ms' },
      alerts: {
        rules: Object.fromEntries(
          rules.map(({ name }) => [name, name === mute ? { for: '0s' } : { enabled: name === wrongChain }]),
        ),
        ...{ group_above: 2 + random.below(4), group_wait: '1s' },
        // A flapping subject settles before the history ends.
        ...{ flap_above: 2 + random.below(4), flap_window: '1m', flap_settle: '1s' },
      },
      web: { listen: '127.0.0.1:0' },
      log: { level: 'error' },
      ...{ notifiers, store: { path: store } },
    }),
  );
  const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], LAST_WORD_TOKEN: '1:t' };
  return {
    store,
    alertOf: ({ subject, isFiring, version }) =>
      isMute(subject)
        ? {
            ...{ rule: mute, severity: 'warning', term: '' },
            title: `${subject}: ${isFiring ? 'does not answer' : 'answers over RPC'}`,
          }
        : {
            ...{ rule: wrongChain, severity: 'critical', term: isFiring ? `other-v${version}` : '' },
            title: `${subject}: serves ${isFiring ? `other-v${version}, not ` : ''}${rightChain}`,
          },
    toldIn: toldBy(
      /\b(?<subject>s\d+): serves (?:(?<firing>other-v(?<version>\d+), not )?hub-proof)(?<over>: over)?/g,
      /\b(?<subject>d\d+): (?:(?<firing>does not answer)|answers over RPC)(?<over>: over)?/g,
    ),
    // Not started through the shell wrapper of the command: the kill must hit the daemon itself.
    start: () =>
      spawn(programs.bin('hubwatch'), ['run', '--config', config], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: environment,
      }),
    async ready(child) {
      for (let printed = ''; !printed.includes('status page'); ) {
        const [chunk] = (await once(child.stdout ?? child, 'data')) as [Buffer];
        printed += chunk.toString();
      }
      child.stdout?.resume();
    },
    async show() {
      await new Promise((resolve) => setTimeout(resolve, random.below(1_500)));
    },
    async silence(_, subject) {
      const facts = ['--for', '30d', '--subject', subject, '--comment', 'work'];
      const { code, err } = await programs.run('hubwatch', ['silence', 'add', '--config', config, ...facts]);
      if (code !== 0) throw new Error(`silence add ended with ${code}: ${err}`);
    },
    close: () => chain.close(),
  };
}
