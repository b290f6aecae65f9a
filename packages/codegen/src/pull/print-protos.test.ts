import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { create, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';

import { repositoryRoot } from '../../test/copied-root.js';
import { link } from '../load/link.js';
import { printProtos } from './print-protos.js';
import { typeReference } from './type-reference.js';

const fixture = join(repositoryRoot, 'packages/codegen/fixtures/hub-v12.descriptors.binpb');

test('print: descriptors of the node produce the committed proto files, byte for byte', async () => {
  const texts = printProtos(link(fromBinary(FileDescriptorSetSchema, await readFile(fixture))));
  expect(texts.size).toBe(335);
  const differing: string[] = [];
  for (const [path, text] of texts) {
    if (text !== (await readFile(join(repositoryRoot, 'proto', path), 'utf8'))) differing.push(path);
  }
  expect(differing).toEqual([]);
});

test('print: a reference that the language would resolve in a closer scope gets a leading dot', () => {
  const known = new Set(['a', 'a.b', 'a.b.c', 'c', 'c.T', 'a.b.M', 'a.b.M.N']);
  expect(typeReference('c.T', 'a.b.M', 'a.b', known)).toBe('.c.T');
  expect(typeReference('a.b.M.N', 'a.b.M', 'a.b', known)).toBe('N');
  expect(typeReference('a.b.M', 'a.b', 'a.b', known)).toBe('M');
  expect(typeReference('c.T', 'x.M', 'x', known)).toBe('c.T');
});

test('print: a type with the name of a method, field or enum value in a closer scope gets a leading dot', () => {
  const set = create(FileDescriptorSetSchema, {
    file: [
      {
        name: 'p/p.proto',
        package: 'p',
        syntax: 'proto3',
        messageType: [
          { name: 'Asked' },
          {
            name: 'Held',
            field: [{ name: 'Asked', number: 1, label: 1, type: 11, typeName: '.p.Asked', jsonName: 'Asked' }],
          },
        ],
        service: [{ name: 'Service', method: [{ name: 'Held', inputType: '.p.Held', outputType: '.p.Asked' }] }],
      },
    ],
  });
  const text = printProtos(link(set)).get('p/p.proto');
  expect(text).toContain('rpc Held(.p.Held) returns (Asked);');
  expect(text).toContain('.p.Asked Asked = 1;');
});
