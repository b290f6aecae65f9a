import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { beforeAll, describe, expect, test } from 'vitest';

import { repositoryRoot } from '../../test/copied-root.js';
import { sharedInput } from '../../test/shared-input.js';
import { type Spec, type SpecTransport, transportKinds } from '../load/spec-types.js';

/** A recorded response of a node to a method on a transport. */
interface Row {
  readonly transport: string;
  readonly neutral_method: string | null;
  readonly group: string;
  readonly got: {
    readonly code?: number;
    readonly message?: string;
    readonly status?: number;
    readonly body?: string | null;
  };
}

const folder = join(repositoryRoot, 'tools/devnode/recordings');

async function* rows(): AsyncGenerator<Row> {
  for (const file of ['reads', 'errors']) {
    const text = gunzipSync(await readFile(join(folder, `${file}.jsonl.gz`))).toString('utf8');
    for (const line of text.split('\n')) if (line !== '') yield JSON.parse(line) as Row;
  }
}

/** `served` when a handler responded, `unserved` when the response shows that there is none, else `undefined`. */
function verdict({ transport, got }: Row): 'served' | 'unserved' | undefined {
  if (transport === 'grpc') {
    if (got.code === 0) return 'served';
    return got.code === 12 && got.message === '' ? 'unserved' : undefined;
  }
  if (transport === 'rest') {
    if (got.status === 200) return 'served';
    return got.status === 501 ? 'unserved' : undefined;
  }
  const { code, log } = abciAnswer(got.body);
  if (code === 0) return 'served';
  return /unknown query path|desc = : unknown request|can't route/.test(log) ? 'unserved' : undefined;
}

function abciAnswer(body: string | null | undefined): { code: number | undefined; log: string } {
  try {
    const { result } = JSON.parse(body ?? '') as { result?: { response: { code: number; log: string } } };
    return { code: result?.response.code, log: result?.response.log ?? '' };
  } catch {
    return { code: undefined, log: '' };
  }
}

describe('availability.yaml against the recorded node', () => {
  let spec: Spec;
  const served = new Map<string, string>();
  const unserved = new Map<string, string>();

  beforeAll(async () => {
    ({ spec } = await sharedInput());
    for await (const row of rows()) {
      if (row.neutral_method === null || !transportKinds.includes(row.transport as SpecTransport)) continue;
      const key = `${row.neutral_method} ${row.transport}`;
      const said = verdict(row);
      if (said === 'served') served.set(key, row.group);
      if (said === 'unserved') unserved.set(key, row.group);
    }
  });

  function* lines(): Generator<[key: string, value: string]> {
    for (const [service, methods] of Object.entries(spec.availability.services)) {
      for (const [method, transports] of Object.entries(methods)) {
        for (const [kind, value] of Object.entries(transports)) yield [`${service}/${method} ${kind}`, value];
      }
    }
  }

  test('availability: responding methods are marked as served, and methods that refuse everything are not', () => {
    const faults = [...lines()].flatMap(([key, value]) => {
      const answered = served.get(key);
      if (value !== 'served') return answered ? [`${key}: ${value}, but ${answered} was answered`] : [];
      return !answered && unserved.has(key) ? [`${key}: served, but ${unserved.get(key)} was refused`] : [];
    });
    expect(faults).toEqual([]);
  });

  test('availability: most entries are based on a recorded response', () => {
    const all = [...lines()];
    const seen = all.filter(([key, value]) => (value === 'served' ? served : unserved).has(key));
    expect(all).toHaveLength(236 * 3);
    expect(seen.length).toBeGreaterThan(620);
  });
});
