import { join } from 'node:path';
import type { Consumer } from './consumer.js';
import { workspace } from './packages.js';
import type { Ran } from './run-program.js';

/** Scripts of supported TypeScript compilers by version. */
export const compilers = {
  '5.9': 'typescript-5-9/bin/tsc',
  '6': 'typescript/bin/tsc6',
  '7': '@typescript/native/bin/tsc',
} as const;
export type Compiler = keyof typeof compilers;

export const resolutions = ['bundler', 'nodenext'] as const;
export type Resolution = (typeof resolutions)[number];

/** Target of the checked code: a browser does not have Node's types. */
export type Platform = 'browser' | 'node';

/** Type-checks all `.ts` files of a consumer and all files that they reach: `skipLibCheck` is off. */
export function typeCheck(
  consumer: Consumer,
  { compiler, resolution, platform }: { compiler: Compiler; resolution: Resolution; platform: Platform },
): Promise<Ran> {
  const compilerOptions = {
    module: resolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution: resolution,
    target: 'es2022',
    lib: platform === 'browser' ? ['es2022', 'dom', 'dom.iterable'] : ['es2023'],
    types: platform === 'browser' ? [] : ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    useDefineForClassFields: true,
    skipLibCheck: false,
    noEmit: true,
  };
  const config = `tsconfig.${platform}-${resolution}.json`;
  consumer.write(config, JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  return consumer.node(join(workspace, 'node_modules', compilers[compiler]), '-p', config, '--pretty', 'false');
}
