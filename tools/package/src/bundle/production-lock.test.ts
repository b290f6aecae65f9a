import { expect, test } from 'vitest';
import { type Lock, productionLock } from './production-lock.js';

const own = [
  { name: 'types', file: 'types.tgz', integrity: 'sha512-types' },
  { name: 'daemon', file: 'daemon.tgz', integrity: 'sha512-daemon' },
];

const lock: Lock = {
  packages: {
    '': { name: 'workspace' },
    'packages/types': { name: '@hubwatch/types', version: '1.0.0' },
    'packages/daemon': {
      name: '@hubwatch/daemon',
      version: '1.0.0',
      dependencies: { '@hubwatch/types': '1.0.0', yaml: '2.0.0', ws: '8.0.0' },
      peerDependencies: { absent: '1.0.0' },
      peerDependenciesMeta: { absent: { optional: true } },
    },
    'packages/daemon/node_modules/yaml': { version: '2.0.0', integrity: 'sha512-yaml2' },
    'node_modules/@hubwatch/types': { resolved: 'packages/types', link: true },
    'node_modules/yaml': { version: '1.0.0', integrity: 'sha512-yaml1' },
    'node_modules/ws': { version: '8.0.0', integrity: 'sha512-ws', optionalDependencies: { native: '1.0.0' } },
    'node_modules/native': { version: '1.0.0', integrity: 'sha512-native' },
    'node_modules/vitest': { version: '4.0.0', integrity: 'sha512-vitest' },
  },
};

test('productionLock: contains our tarballs and their dependencies, in the versions that Node resolves for each', () => {
  const { packages } = productionLock(lock, own);
  expect(packages['']?.dependencies).toEqual({
    '@hubwatch/types': 'file:types.tgz',
    '@hubwatch/daemon': 'file:daemon.tgz',
  });
  expect(Object.keys(packages)).toEqual([
    '',
    'node_modules/@hubwatch/daemon',
    'node_modules/@hubwatch/daemon/node_modules/yaml',
    'node_modules/@hubwatch/types',
    'node_modules/native',
    'node_modules/ws',
  ]);
  expect(packages['node_modules/@hubwatch/daemon']).toMatchObject({
    version: '1.0.0',
    resolved: 'file:daemon.tgz',
    integrity: 'sha512-daemon',
  });
  expect(packages['node_modules/@hubwatch/daemon/node_modules/yaml']?.version).toBe('2.0.0');
});

test('productionLock: a dependency that the workspace does not lock is an error', () => {
  const packages = Object.fromEntries(
    Object.entries(lock.packages).filter(([location]) => location !== 'node_modules/native'),
  );
  expect(() => productionLock({ packages }, own)).toThrow(
    'package-lock.json lacks native, which node_modules/ws needs',
  );
});
