import { type ErrorCode, HubError, publicNaming } from '@hubwatch/client';
import { readAbciResponse } from '@hubwatch/client/abci';
import { readRpcAnswer } from '@hubwatch/client/rpc';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';

/** A recorded call of the consensus RPC. */
export interface RpcRow {
  readonly id: string;
  readonly request?: { readonly method: string; readonly path: string; readonly body: string | null };
  readonly response?: { readonly status?: number; readonly body?: string };
}

interface Judged {
  readonly code: ErrorCode;
  readonly expected: ErrorCode;
}

interface RpcAnswer {
  readonly id?: number | string;
  readonly error?: { readonly code: number };
  readonly result?: { readonly response?: { readonly code?: number } } | null;
}

/** For every refusal in a row (one per batch entry): the code assigned by the client and the expected code. */
export function* judgeRpc(row: RpcRow): Generator<Judged> {
  const { status = 0, body = '' } = row.response ?? {};
  const answers = jsonOf(body);
  if (answers === undefined) {
    // HEAD responses have no body, and the client does not send HEAD.
    if (status >= 300 && body !== '')
      yield { code: codeOf(body, status), expected: status === 404 ? 'unimplemented' : 'http' };
    return;
  }
  const calls = jsonOf(row.request?.body ?? '') ?? [];
  for (const [index, answer] of answers.entries()) {
    const single = JSON.stringify(answer);
    if (answer.error !== undefined) {
      const call = calls.length === answers.length ? (calls[index] as unknown as Call) : undefined;
      yield { code: codeOf(single, status, answer.id), expected: judge(row, answer.error.code, call) };
    } else if ((answer.result?.response?.code ?? 0) !== 0 && !/store/.test(row.id)) {
      // A raw store query is returned unchanged; it is not a refusal by a method.
      yield { code: codeOf(single, status, answer.id), expected: judgeQuery(row.id) };
    }
  }
}

interface Call {
  readonly method?: string;
  readonly params?: { readonly height?: string };
}

function judge({ id, request }: RpcRow, code: number, call: Call | undefined): ErrorCode {
  if (code === -32601) return 'unimplemented';
  if (code === -32602 || code === -32700) return 'invalid_argument';
  if (code === -32600) return 'limit';
  const label = labels.find(([pattern]) => pattern.test(id))?.[1];
  if (label !== undefined) return label;
  const asked = call?.params?.height ?? /[?&]height=%?2?2?(-?\d+)/.exec(request?.path ?? '')?.[1];
  if (asked === undefined || !/^-?\d+$/.test(asked)) return 'unknown';
  const height = BigInt(asked);
  if (height <= 0n) return 'invalid_argument';
  if (height < 901801n) return 'height_never_existed';
  // At the heads of that time, every requested height above the first is either pruned on the small node or in the future.
  return id.startsWith('small.') ? 'height_not_retained' : 'height_in_future';
}

/** Expected codes by pattern of the recorder's ids. */
const labels: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^json\.(?:b\.)?noparams|^tx_search\.(?:hashnum|quotednum)/, 'internal'],
  [/^json\.b\.mixed/, 'height_never_existed'],
  [
    /^(?:tx|block)_search\.|^blockchain\.|^small\.blockchain|^validators\.p|^genesis_chunked|^json\.b\.cached/,
    'invalid_argument',
  ],
  [/^tx\.(?:empty|none|0x)|^broadcast_evidence|^dial_/, 'invalid_argument'],
  [/^tx\./, 'not_found'],
  [/^broadcast_tx_commit\.halt/, 'timeout'],
  [/^broadcast_tx/, 'already_known'],
  [/^small\.(?:tx|tx_search|block_search)\b|^small\.block_results\.(?:kept|latest)/, 'unimplemented'],
  [/^small\.(?:mempool|toolarge-full)/, 'rate_limited'],
  [/^small\.toolarge\./, 'invalid_argument'],
  // The block before the upgrade was stored and never executed.
  [/^halt\.(?:block_results(?:\.905000)?(?:\.post)?$|consensus_params(?:\.905001)?$)/, 'not_found'],
  [/^(?:block_results|consensus_params)\.halted(?:\.905000)?$/, 'not_found'],
];

function judgeQuery(id: string): ErrorCode {
  const known: readonly (readonly [RegExp, ErrorCode])[] = [
    [/\.node\.(?:before|first|notfound)/, 'not_found'],
    [/\.node\.(?:badaddr|nodata|garbage|truncated|neg)|app\.simulate|simulate\.bad|p2p\.bad/, 'invalid_argument'],
    [/\.node\.neutral|\.(?:old|noslash|msg|unknown|emptypath|slash|none)\.|app\.other|^big\./, 'unimplemented'],
    [/\.(?:node\.h1|b2?\.before)/, 'height_never_existed'],
    [/\.future|^halt\./, 'height_in_future'],
    [/\.b2?\.(?:edge|pruned|first)/, 'height_not_retained'],
  ];
  return known.find(([pattern]) => pattern.test(id))?.[1] ?? 'unknown';
}

function codeOf(body: string, status: number, id?: number | string): ErrorCode {
  const place = { transport: 'rpc' as const, address: 'recorded', method: 'recorded' };
  try {
    const result = readRpcAnswer({ status, body, header: () => undefined }, id as number, place);
    readAbciResponse(queryParams, result, publicNaming, place);
  } catch (error) {
    if (error instanceof HubError) return error.code;
    throw error;
  }
  throw new Error(`no refusal in ${body.slice(0, 200)}`);
}

/** The responses in a body: one, or those of a batch. */
function jsonOf(text: string): readonly RpcAnswer[] | undefined {
  try {
    const json = JSON.parse(text) as unknown;
    return (Array.isArray(json) ? json : [json]) as RpcAnswer[];
  } catch {
    return undefined;
  }
}
