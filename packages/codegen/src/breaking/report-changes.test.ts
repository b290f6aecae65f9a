import { expect, test } from 'vitest';

import { reportChanges } from './report-changes.js';

const old = `# a
Box: interface Box { readonly size: number; map<T>(to: (size: number) => T): { of: T; }; }
make: function make(size: number): Box
Kind: type Kind = 'x' | 'y'

# a/more
more: const more: string
`;

test.each([
  ['nothing', '', '', []],
  [
    'a new member',
    'size: number;',
    'size: number; readonly colour: string;',
    ['minor members-added a Box: has readonly colour: string too'],
  ],
  [
    'another type of a member',
    'size: number; map',
    'size: bigint; map',
    ['major signature a Box: has readonly size: number no more, or otherwise'],
  ],
  [
    'a member inside a member',
    'of: T;',
    'of: T; by: T;',
    ['major signature a Box: has map<T>(to: (size: number) => T): { of: T; } no more, or otherwise'],
  ],
  [
    'another parameter',
    'make(size',
    'make(colour: string, size',
    [
      'major signature a make: was function make(size: number): Box and is function make(colour: string, size: number): Box',
    ],
  ],
  ['an export', 'make: function make(size: number): Box\n', '', ['major export-removed a make: the export is gone']],
  [
    'an entry',
    '# a/more\nmore: const more: string\n',
    '# b\nb: const b: 1\n',
    ['major entry-removed a/more: the entry is gone', 'minor entry-added b: a new entry'],
  ],
])('api report: %s', (_, from, to, changes) => {
  const told = reportChanges(old, old.replace(from, to)).map(
    ({ level, rule, subject, what }) => `${level} ${rule} ${subject}: ${what}`,
  );
  expect(told).toEqual(changes);
});
