import { describe, expect, test } from 'vitest';

import { allMethods } from './gen/methods/all.js';
import { messageByName, messageNames } from './gen/registry.js';
import type { Field, MessageTable } from './runtime/table.js';

function table(name: string): MessageTable {
  const found = messageByName(name);
  if (!found) throw new Error(`${name} is not in the registry`);
  return found;
}

describe('generated tables', () => {
  test('registry: every message once, under its own name', () => {
    expect(new Set(messageNames).size).toBe(messageNames.length);
    expect(messageNames.length).toBeGreaterThan(1000);
    for (const name of messageNames) expect(table(name).name).toBe(name);
    expect(messageByName('hub.node.v3.Nope')).toBeUndefined();
  });

  test('tables: numbers, names and members are unique, and every reference leads to a table', () => {
    const faults: string[] = [];
    const unique = (message: MessageTable, key: (field: Field) => unknown): void => {
      if (new Set(message.fields.map(key)).size !== message.fields.length) faults.push(message.name);
    };
    for (const message of messageNames.map(table)) {
      unique(message, ({ no }) => no);
      unique(message, ({ name }) => name);
      unique(message, ({ prop }) => prop);
      for (const field of message.fields) {
        if (field.kind === 'message' && messageByName(field.message().name) !== field.message()) {
          faults.push(`${message.name}.${field.name}`);
        }
        if (field.kind === 'enum' && Object.keys(field.enum().values).length === 0) {
          faults.push(`${message.name}.${field.name}`);
        }
        for (const [name, implementation] of Object.entries((field.kind === 'any' && field.any?.()) || {})) {
          if (implementation().name !== name) faults.push(`${message.name}.${field.name}: ${name}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test('methods: 236, and every unserved pair has its reason', () => {
    expect(allMethods).toHaveLength(236);
    expect(new Set(allMethods.map(({ service, name }) => `${service}/${name}`)).size).toBe(236);
  });
});
