import type { Benchmark } from './benchmark.js';
import {
  type Compiler,
  compilers,
  type Consumer,
  makeConsumer,
  must,
  pack,
  resolutions,
  typeCheck,
} from './consumers/index.js';
import { median } from './median.js';

const peer = '@cosmjs/stargate@0.39.0';
const kinds = Object.keys(compilers) as Compiler[];

const ourProgram = `import { createRestTransport } from '@hubwatch/client/rest';
import { publicNaming } from '@hubwatch/client';
import { balance } from '@hubwatch/types/gen/methods/stack/bank/v1beta1/query';
const rest = createRestTransport({ address: 'http://127.0.0.1:1317', naming: publicNaming });
export const amount = async (address: string): Promise<string | undefined> =>
  (await rest.call(balance, { address, denom: 'udvpn' })).message.balance?.amount;
`;

const theirProgram = `import { StargateClient } from '@cosmjs/stargate';
export const balance = async (address: string): Promise<string> =>
  (await (await StargateClient.connect('http://127.0.0.1:26657')).getBalance(address, 'udvpn')).amount;
`;

/** Time that one query adds to every type check of an application that does not skip library checks. */
export const consumerTypes: Benchmark = {
  name: 'consumer-types',
  about: `type check of one balance query with skipLibCheck off under TypeScript 5.9, 6 and 7: time beside ${peer}`,
  async run({ runs = 3, log }) {
    const packed = await pack(['types', 'client']);
    const third = ['@types/node', 'undici-types'];
    const ours = await makeConsumer(packed, { packages: ['types', 'client'], thirdParty: third });
    const theirs = await makeConsumer(packed, { packages: [], thirdParty: third });
    try {
      ours.write('balance.ts', ourProgram);
      theirs.write('balance.ts', theirProgram);
      const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', peer];
      await must('npm', install, theirs.folder);
      const figures: Record<string, string> = {};
      const ratios: number[] = [];
      let wrong = 0;
      for (const compiler of kinds) {
        const [mine, peers]: [Check[], Check[]] = [[], []];
        for (let run = 0; run < runs; run++) {
          for (const resolution of resolutions) {
            mine.push(await check(ours, compiler, resolution));
            peers.push(await check(theirs, compiler, resolution));
          }
        }
        wrong += mine.reduce((sum, { errors }) => sum + errors, 0);
        ratios.push(seconds(mine) / seconds(peers));
        figures[`TypeScript ${compiler}`] = `ours ${show(mine)}, peer ${show(peers)}`;
        log(`  TypeScript ${compiler}: done`);
      }
      return {
        // A type error is a failure regardless of the time.
        figure: wrong > 0 ? Number.POSITIVE_INFINITY : Math.max(...ratios),
        target: 1,
        unit: 'x',
        figures: { ...figures, 'our errors, all compilers and resolutions': wrong },
      };
    } finally {
      ours.remove();
      theirs.remove();
      packed.remove();
    }
  },
};

interface Check {
  readonly seconds: number;
  readonly errors: number;
}

const seconds = (checks: readonly Check[]): number => median(checks.map((each) => each.seconds));
const show = (checks: readonly Check[]): string =>
  `${seconds(checks).toFixed(2)} s, ${Math.max(...checks.map(({ errors }) => errors))} errors`;

async function check(consumer: Consumer, compiler: Compiler, resolution: (typeof resolutions)[number]): Promise<Check> {
  const began = performance.now();
  const { text } = await typeCheck(consumer, { compiler, resolution, platform: 'browser' });
  return {
    seconds: (performance.now() - began) / 1000,
    errors: text.split('\n').filter((line) => line.includes('error TS')).length,
  };
}
