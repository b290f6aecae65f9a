import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { HubError, publicNaming } from '@hubwatch/client';
import { readAbciResponse } from '@hubwatch/client/abci';
import { readRestResponse } from '@hubwatch/client/rest';
import { readRpcAnswer } from '@hubwatch/client/rpc';
import { abci } from '@hubwatch/client/small/abci';
import { rest } from '@hubwatch/client/small/rest';
import type { AnyMethod, TransportKind } from '@hubwatch/types/runtime/method';
import { decodeBinary } from '@hubwatch/types/runtime/binary';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import type { SmallMethod } from '@hubwatch/types/runtime/small/method';
import { Counts } from './counts.js';
import { parametersOf } from './golden-requests.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { publicMethods } from './public-methods.js';
import { headerOf, type ReadRow, readGroups, recordingsFolder } from './recordings.js';
import { playRows, type RowPlayer } from './row-player.js';

/** What the small client leaves out is words, not answers. */
export const goldenSmall: Proof = {
  name: 'golden-small',
  about:
    'The small client asks as recorded and reads every recorded answer as the full one does; no code is a wrong one.',
  run: prove,
};

interface Asked {
  readonly row: ReadRow;
  readonly full: AnyMethod;
  readonly small: SmallMethod<AnyMethod, TransportKind>;
  /** Bytes of the request, of the row over gRPC. */
  readonly message: Uint8Array;
}

async function prove({ reads, log }: ProofOptions): Promise<ProofOutcome> {
  const files =
    reads === undefined ? ['reads', 'errors'].map((name) => join(recordingsFolder, `${name}.jsonl.gz`)) : [reads];
  const methods = await publicMethods();
  // What a refusal means does not depend on the method that is asked.
  const params = methods.small.get(publicNaming.typeToWire('hub.node.v3.QueryService/QueryParams'));
  if (params === undefined) throw new Error('the small client has no method for parameters');
  const player = await playRows();
  const counts = new Counts();
  const differences: string[] = [];
  let total = 0;
  const claim = (name: string, row: ReadRow, difference: string | undefined): void => {
    total++;
    counts.add(`${row.transport}: ${name}`, difference === undefined);
    if (difference !== undefined) differences.push(`${row.transport} ${row.group}, ${name}: ${difference}`);
  };
  try {
    for (const rows of files.flatMap((file) => [...readGroups(file).values()])) {
      const message = Buffer.from(rows.grpc?.sent.message ?? '', 'base64');
      for (const row of [rows.rest, rows.abci]) {
        const name = publicNaming.typeToWire(row?.neutral_method ?? '');
        const [full, small] = [methods.full.get(name), methods.small.get(name)];
        if (row === undefined || full === undefined || small === undefined) continue;
        const asked = { row, full, small, message };
        const expected = readFull(asked);
        if (expected instanceof HubError)
          claim(
            'refusal has no wrong code',
            row,
            await compareRefusal({ ...asked, small: params }, expected, player, counts),
          );
        else if (row.transport === 'rest' ? small.route : small.path) {
          claim('answer is the same', row, await compareAnswer(asked, expected, player));
          claim('request is as recorded', row, compareRequest(asked, player.asked()));
        }
      }
    }
  } finally {
    await player.close();
  }
  for (const difference of differences.slice(0, 20)) log(difference);
  return { passed: total - differences.length, total, counterExample: differences[0], figures: counts.figures() };
}

const place = { address: 'recorded' } as const;

/** What the full client reads of a row, be it an answer or a refusal. */
function readFull({ row: { transport, got }, full }: Asked): unknown {
  const answer = {
    status: got.status ?? 200,
    body: got.body ?? '',
    header: (name: string) => headerOf(got.headers, publicNaming.headerToWire(name)),
  };
  try {
    if (transport === 'rest') return readRestResponse(full, answer, identityNaming, { ...place, transport });
    const result = readRpcAnswer(answer, (JSON.parse(answer.body) as { id: number }).id, {
      ...place,
      transport: 'abci',
    });
    return readAbciResponse(full, result, identityNaming, { ...place, transport: 'abci' });
  } catch (error) {
    return error;
  }
}

/** What the small client reads when it asks for a row and gets its answer. */
async function readSmall({ row, small }: Asked, request: object, player: RowPlayer): Promise<unknown> {
  player.play(row);
  const height = /^\d+$/.test(row.height ?? '') ? { height: BigInt(row.height as string) } : {};
  const ask = row.transport === 'rest' ? rest(player.url) : abci(player.url);
  return ask(small as SmallMethod, request, height).catch((error: unknown) => error);
}

async function compareAnswer(asked: Asked, expected: unknown, player: RowPlayer): Promise<string | undefined> {
  const request = decodeBinary(asked.full.request, asked.message) as object;
  const got = await readSmall(asked, request, player);
  return isDeepStrictEqual(got, expected) ? undefined : got instanceof Error ? String(got) : 'other than the full one';
}

/** Path and parameters over REST; path, height and the request that the bytes hold over abci_query. */
function compareRequest({ row, full, message }: Asked, asked: string): string | undefined {
  if (row.transport === 'rest') {
    // The gateway takes both alphabets of base64.
    const [ours, recorded] = [asked, urlBase64(row.sent.target ?? '')].map(parametersOf);
    return isDeepStrictEqual(ours, recorded) ? undefined : `${asked} where ${row.sent.target ?? ''} was sent`;
  }
  const { searchParams } = new URL(asked, 'http://node');
  const { params } = JSON.parse(row.sent.body ?? '{}') as { params: Readonly<Record<string, string>> };
  const bytes = Buffer.from(searchParams.get('data')?.slice(2) ?? '', 'hex');
  const ours = [searchParams.get('path'), searchParams.get('height'), decodeBinary(full.request, bytes)];
  const recorded = [`"${params['path'] ?? ''}"`, params['height'] ?? '0', decodeBinary(full.request, message)];
  return isDeepStrictEqual(ours, recorded) ? undefined : `${asked} where ${row.sent.body ?? ''} was sent`;
}

/**
 * The small client knows the texts of heights and of records that are not there. For all else it relays the status that the
 * node itself gives, and says `unknown` where there is none.
 */
async function compareRefusal(
  asked: Asked,
  expected: HubError,
  player: RowPlayer,
  counts: Counts,
): Promise<string | undefined> {
  const { code } = (await readSmall(asked, {}, player)) as { code?: string };
  counts.add(`${asked.row.transport}: refusal has the very code`, code === expected.code);
  const own = asked.row.transport === 'rest' ? statusCodes[expected.raw.grpcCode ?? -1] : nameCode(expected.raw.text);
  if (code === expected.code || code === 'unknown' || (own !== undefined && code === own)) return undefined;
  return `${String(code)} where the full one says ${expected.code}: ${expected.raw.text ?? ''}`;
}

/** Codes of gRPC in the body of a REST error. */
const statusCodes: Readonly<Record<number, string>> = {
  3: 'invalid_argument',
  5: 'not_found',
  8: 'rate_limited',
  12: 'unimplemented',
  13: 'internal',
  14: 'unavailable',
};

function nameCode(log = ''): string | undefined {
  return /code = InvalidArgument desc/.test(log) ? 'invalid_argument' : undefined;
}

function urlBase64(target: string): string {
  return target.replace(/(?<=\.key=)[^&]+/g, (key) => key.replaceAll(/%2B/g, '-').replaceAll(/\/|%2F/g, '_'));
}
