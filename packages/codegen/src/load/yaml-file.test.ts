import { expect, test } from 'vitest';

import { checkYaml, parseYaml } from './yaml-file.js';

const schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    output: { type: 'string' },
    lists: { type: 'array', items: { enum: ['first', 'second'] } },
    'a/b': { type: 'object', required: ['x'], properties: { x: {} } },
  },
};

const faultOf = (text: string): string => {
  try {
    checkYaml(parseYaml('c.yml', text), schema);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

test.each([
  ['output: x\n', 'none'],
  ['# a\n\noutptu: x\n', 'c.yml:3: "outptu" is no key; did you mean "output"? Keys are output, lists, a/b.'],
  ['output: x\n"9": x\n', 'c.yml:2: "9" is no key. Keys are output, lists, a/b.'],
  ['output: 1\n', 'c.yml:1: output: must be string'],
  ['lists:\n  - first\n  - secnd\n', 'c.yml:3: lists.1: secnd is not one of first, second; did you mean "second"?'],
  ['output: x\na/b: {}\n', 'c.yml:2: a/b: the key "x" is missing'],
  ['output: x\noutput: y\n', 'c.yml:2: Map keys must be unique'],
  [
    'output: x\nlists: [\n',
    'c.yml:3: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['output: *nope\n', 'c.yml: Unresolved alias (the anchor must be set before the alias): nope'],
  ['- a\n', 'c.yml:1: must be object'],
])('yaml: the fault of %j is reported with file, line and the allowed values', (text, fault) => {
  expect(faultOf(text)).toBe(fault);
});
