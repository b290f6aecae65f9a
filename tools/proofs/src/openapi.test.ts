import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApi, type OpenApiDocument } from '@hubwatch/codegen';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from './availability-types.js';
import { openapi, proveDocument } from './openapi.js';
import { type ReadRow, readRows, recordingsFolder } from './recordings.js';

const quiet = { seed: 1, log: () => undefined };
const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('openapi', () => {
  let document: OpenApiDocument;
  beforeAll(async () => {
    document = await openApi({ root: repositoryRoot, profile: 'public' });
  });

  it('openapi: every recorded REST request and response conforms to the document', async () => {
    const { passed, total, counterExample, figures } = await openapi.run(quiet);
    expect(counterExample).toBeUndefined();
    expect([passed, total]).toEqual([7120, 7120]);
    expect(figures).toEqual({
      'parameters are declared': '2324 of 2324',
      'answers fit their schema': '2324 of 2324',
      'answered heights stand in the declared header': '2324 of 2324',
      'refusals fit the schema of errors': '144 of 144',
      'routes that are left out are not served': '4 of 4',
    });
  });

  it.each([undefined, 'public'])(
    'openapi: a specification validator accepts the document, profile %s',
    async (profile) => {
      const validator = new Validator();
      const result = await validator.validate(
        JSON.parse(JSON.stringify(await openApi({ root: repositoryRoot, profile }))),
      );
      expect(result.errors).toBeUndefined();
      expect([result.valid, validator.version]).toEqual([true, '3.1']);
    },
  );

  const group = 'hub.node.v3.QueryService/QueryNodes#status-0@903290';

  function fileOf(change: (row: ReadRow) => ReadRow): string {
    const rows = [...readRows<ReadRow>(join(recordingsFolder, 'reads.jsonl.gz'))].filter((row) => row.group === group);
    const file = join(folder, 'reads.jsonl');
    writeFileSync(file, rows.map((row) => JSON.stringify(row.transport === 'rest' ? change(row) : row)).join('\n'));
    return file;
  }

  const body =
    (from: string | RegExp, to: string) =>
    (row: ReadRow): ReadRow => ({ ...row, got: { ...row.got, body: (row.got.body ?? '').replace(from, to) } });

  it.each<[string, (row: ReadRow) => ReadRow, RegExp]>([
    [
      'a member under another name',
      body('"inactive_at"', '"inactiveAt"'),
      /must (?:have required|NOT have additional)/,
    ],
    ['a 64-bit number that is no text', body(/"total":"(\d+)"/, '"total":$1'), /must be string/],
    ['an amount with a fraction', body('"20836"', '"2083.6"'), /must match pattern/],
    [
      'a parameter that the route does not take',
      (row) => ({ ...row, sent: { ...row.sent, target: `${row.sent.target}&state=1` } }),
      /query parameter state is not declared/,
    ],
  ])('openapi: %s is a counter-example', (_, change, message) => {
    const { passed, total, counterExample } = proveDocument({ ...quiet, reads: fileOf(change) }, document);
    expect([passed, total]).toEqual([2, 3]);
    expect(counterExample).toContain(group);
    expect(counterExample).toMatch(message);
  });

  it('openapi: a response of a route that the document lacks is a counter-example', () => {
    const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !/node\/v3\/nodes$/.test(path)));
    const { counterExample } = proveDocument({ ...quiet, reads: fileOf((row) => row) }, { ...document, paths });
    expect(counterExample).toMatch(/no path fits/);
  });
});
