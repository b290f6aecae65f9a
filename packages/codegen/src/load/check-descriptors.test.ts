import { create } from '@bufbuild/protobuf';
import { FieldDescriptorProto_Type, FileDescriptorProtoSchema, type FileDescriptorProto } from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';

import { CodegenError } from '../codegen-error.js';
import { checkDescriptors } from './check-descriptors.js';

type Init = Parameters<typeof create<typeof FileDescriptorProtoSchema>>[1];

function file(name: string, rest: Init = {}): FileDescriptorProto {
  return create(FileDescriptorProtoSchema, { syntax: 'proto3', ...rest, name });
}

test.each([
  '/etc/a.proto',
  '../a.proto',
  'a/../../b.proto',
  'a..proto',
  'a\\b.proto',
  "a.js';globalThis.PWNED=1;'.proto",
  'a".proto',
  'a`.proto',
  'a\nb.proto',
  'a\u0000.proto',
  'a\u202eb.proto',
  'a\u2028b.proto',
  'a\ud800.proto',
  'package.json',
  '.bashrc',
  '.git/a.proto',
  'a//b.proto',
  './a.proto',
  'a/.proto',
  '%2e%2e/a.proto',
  'a#b.proto',
  'a?b.proto',
  'c:a.proto',
  'a .proto/b.proto'.replace(' .proto', ' '),
  `${'a'.repeat(300)}.proto`,
  `${'abcdefgh/'.repeat(200)}a.proto`,
  '',
])('descriptors: a file named %j is rejected, as a file and as an import', (name) => {
  expect(() => checkDescriptors([file(name)])).toThrow(CodegenError);
  expect(() => checkDescriptors([file('a.proto', { dependency: [name] })])).toThrow(/a\.proto: import/);
});

test.each(['a.proto', 'hub/node/v3/node.proto', 'some words.proto', 'ünï/ço.proto', 'a-b/c+d@1.proto'])(
  'descriptors: a file named %j is accepted',
  (name) => {
    expect(checkDescriptors([file(name)])).toHaveLength(1);
  },
);

const hostile = "x'; globalThis.PWNED = 1; //";

test.each<[what: string, rest: Init]>([
  ['package', { package: `a.${hostile}` }],
  ['message', { messageType: [{ name: hostile }] }],
  ['message', { messageType: [{ name: 'A', nestedType: [{ name: '' }] }] }],
  ['field', { messageType: [{ name: 'A', field: [{ name: 'a b', number: 1 }] }] }],
  ['oneof', { messageType: [{ name: 'A', oneofDecl: [{ name: '*/' }] }] }],
  ['type of A.a', { messageType: [{ name: 'A', field: [{ name: 'a', number: 1, typeName: '.A"' }] }] }],
  [
    'default of A.a',
    {
      messageType: [
        { name: 'A', field: [{ name: 'a', number: 1, type: FieldDescriptorProto_Type.INT32, defaultValue: '1]; }' }] },
      ],
    },
  ],
  ['enum', { enumType: [{ name: '1', value: [{ name: 'A' }] }] }],
  ['enum value', { enumType: [{ name: 'E', value: [{ name: 'A\n' }] }] }],
  ['service', { service: [{ name: 'a-b' }] }],
  ['method', { service: [{ name: 'S', method: [{ name: hostile, inputType: '.A', outputType: '.A' }] }] }],
  ['request of S/M', { service: [{ name: 'S', method: [{ name: 'M', inputType: 'A {}', outputType: '.A' }] }] }],
  ['extension', { extension: [{ name: '(', number: 1, extendee: '.A' }] }],
  ['extended message of a', { extension: [{ name: 'a', number: 1, extendee: '' }] }],
  ['reserved name of A', { messageType: [{ name: 'A', reservedName: ['"'] }] }],
  ['syntax', { syntax: 'proto3";' }],
  ['message', { messageType: [{ name: 'A'.repeat(300) }] }],
])('descriptors: %s is not an identifier: rejected with the file and its kind', (what, rest) => {
  let message = '';
  try {
    checkDescriptors([file('a.proto', rest)]);
  } catch (error) {
    expect(error).toBeInstanceOf(CodegenError);
    message = (error as Error).message;
  }
  expect(message).toContain(`a.proto: ${what}`);
  expect(message).not.toContain('\n');
});

test.each<[both: RegExp, files: FileDescriptorProto[]]>([
  [/two files have the path a\.proto/, [file('a.proto'), file('a.proto', { package: 'b' })]],
  [/a\.proto and A\.proto differ only in case/, [file('a.proto'), file('A.proto')]],
  [/a\.proto is a file, and a\.proto\/b\.proto needs a folder/, [file('a.proto'), file('a.proto/b.proto')]],
  [
    /a\.proto and b\.proto both declare x\.M/,
    [
      file('a.proto', { package: 'x', messageType: [{ name: 'M' }] }),
      file('b.proto', { package: 'x', enumType: [{ name: 'M', value: [{ name: 'V' }] }] }),
    ],
  ],
  [
    /a\.proto declares M\.a twice/,
    [
      file('a.proto', {
        messageType: [
          {
            name: 'M',
            field: [
              { name: 'a', number: 1 },
              { name: 'a', number: 2 },
            ],
          },
        ],
      }),
    ],
  ],
  [
    /M\.a and M\.b both have the number 1/,
    [
      file('a.proto', {
        messageType: [
          {
            name: 'M',
            field: [
              { name: 'a', number: 1 },
              { name: 'b', number: 1 },
            ],
          },
        ],
      }),
    ],
  ],
  [
    /x\.M is a package in b\.proto and a declaration in a\.proto/,
    [file('a.proto', { package: 'x', messageType: [{ name: 'M' }] }), file('b.proto', { package: 'x.M.y' })],
  ],
])('descriptors: a contradictory set is rejected, and the error names both sides: %s', (both, files) => {
  expect(() => checkDescriptors(files)).toThrow(both);
});

test('descriptors: the same file twice counts once, regardless of its comments', () => {
  const commented = file('a.proto', { sourceCodeInfo: { location: [{ leadingComments: ' */ ' }] } });
  expect(checkDescriptors([file('a.proto'), commented])).toHaveLength(1);
});
