import { expect, test } from 'vitest';
import { commandTree } from './command-tree.js';
import { exitCodeText } from './exit-codes.js';

test('commandTree: a command has its words, options with values, and remarks', () => {
  const { name, commands, remarks } = commandTree();
  expect(name).toBe('hubwatch');
  expect(remarks).toContain(exitCodeText);
  const ledger = commands.find((command) => command.name === 'ledger');
  expect(ledger).toMatchObject({
    summary: 'print income, payments and gaps',
    description: 'Prints income, payments and gaps of watched nodes, providers and accounts.',
    usage: '[options] [command]',
    remarks: exitCodeText,
  });
  expect(ledger?.commands.map((command) => command.name)).toEqual(['backfill']);
  expect(ledger?.options.find(({ long }) => long === '--config')).toEqual({
    flags: '-c, --config <FILE>',
    description: 'configuration of the daemon',
    short: '-c',
    long: '--config',
    value: 'FILE',
    choices: [],
  });
  expect(ledger?.options.find(({ long }) => long === '--format')?.choices).toEqual(['text', 'csv', 'json']);
  expect(ledger?.options.find(({ long }) => long === '--entries')?.value).toBeUndefined();
});

test('commandTree: every command has a help option', () => {
  const withoutHelp = commandTree().commands.filter(
    ({ name, options }) => name !== 'help' && !options.some(({ long }) => long === '--help'),
  );
  expect(withoutHelp).toEqual([]);
});
