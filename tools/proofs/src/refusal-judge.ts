import type { ErrorCode } from '@hubwatch/client';
import type { ReadGroup, ReadRow } from './recordings.js';

/**
 * Meaning of a recorded refusal, derived without its text. Uses the requested height and the node's retained heights,
 * else the row's gRPC code. Codes 2 and 13 are ambiguous; for these it uses the recorder's description of the request.
 */
export function judgeRead(group: string, rows: ReadGroup, row: ReadRow & { readonly node: string }): ErrorCode {
  const own = statusOf(row);
  // The gateway itself refuses requests that never reach the method: an unknown path or an invalid parameter.
  if (row.transport === 'rest' && rows.grpc !== undefined && own !== statusOf(rows.grpc)) {
    return byStatus[own ?? -1] ?? 'http';
  }
  if (unreadable.test(group)) return 'invalid_argument';
  const byHeight = judgeHeight(group, row, own);
  if (byHeight !== undefined) return byHeight;
  const status = statusOf(rows.grpc ?? row) ?? own;
  // The only module that reports an absent record as an invalid argument.
  if (/gov\.v1(?:beta1)?\.Query\/(?:Vote|Deposit)#not-found/.test(group)) return 'not_found';
  const byLabel = labels.find(([pattern]) => pattern.test(group))?.[1];
  if (byLabel !== undefined && (status === undefined || unsaid.has(status))) return byLabel;
  return byStatus[status ?? -1] ?? (row.transport === 'rest' ? 'http' : 'unknown');
}

/**
 * Heights that the node cannot parse (a JSON number, signs, more than 64 bits), and a proof, which requires a height
 * above 1.
 */
const unreadable = /^abci\/height\/(?:number|empty|abc|float|plus)|^abci\/prove-True\/1$|^rest\/id\/block\/184467/;

/** Codes that a node uses for many different reasons. */
const unsaid: ReadonlySet<number> = new Set([2, 8, 13]);

const byStatus: Readonly<Record<number, ErrorCode>> = {
  3: 'invalid_argument',
  4: 'timeout',
  5: 'not_found',
  12: 'unimplemented',
  13: 'internal',
};

/** Expected codes by pattern of the recorder's labels. */
const labels: readonly (readonly [RegExp, ErrorCode])[] = [
  // A list without its filter and pages after the last one were also recorded under this label.
  [/#not-found-(?:49|6[0-3])$/, 'invalid_argument'],
  [/#not-found-/, 'not_found'],
  [/#(?:address|hash|events|id|status|denom|params)-/, 'invalid_argument'],
  [/^broadcast\/|^rest\/post\/|^abci\/broadcast/, 'invalid_argument'],
  [/^rest\/query\/pagination\.key=.*offset=/, 'invalid_argument'],
  [/height-text|\/height-metadata\/(?!upper)|^rest\/height-header/, 'invalid_argument'],
  [/^(?:grpc|abci)\/(?:undecodable|wrong-wire-type|truncated-frame|no-message)/, 'invalid_argument'],
  [/^grpc\/oversize/, 'limit'],
  [/^abci\/uri\/.*(?:store\/nope|path=\/hub)/, 'invalid_argument'],
  [/^abci\/uri\/|^abci\/unknown-target|^abci\/msg-service|^abci\/v2alpha1/, 'unimplemented'],
];

const first = 901801n;
/** Lowest and highest state, and lowest and highest block, retained by each recorded node. */
const held: Readonly<
  Record<string, { readonly state: readonly [bigint, bigint]; readonly block: readonly [bigint, bigint] }>
> = {
  archive: { state: [first, 904999n], block: [first, 905000n] },
  pruned: { state: [904390n, 904494n], block: [first, 904494n] },
  fresh: { state: [first, 901873n], block: [first, 901873n] },
};

/** Methods whose height is a member of the request and refers to a block, with the bounds that apply. */
const blockMethods = /GetBlockByHeight|GetValidatorSetByHeight|GetBlockWithTxs/;

function judgeHeight(
  group: string,
  row: ReadRow & { readonly node: string },
  status: number | undefined,
): ErrorCode | undefined {
  // A height is refused with one of these; every other code has a different reason.
  if (status !== undefined && status !== 2 && status !== 3) return undefined;
  const bounds = held[row.node];
  const asked = heightOf(row);
  if (bounds === undefined || asked === 'no integer') return asked === 'no integer' ? 'invalid_argument' : undefined;
  if (asked !== undefined) {
    const verdict = judge(asked, bounds.state);
    if (verdict !== undefined) return verdict;
  }
  if (!blockMethods.test(group) && !/^rest\/id\/block\//.test(group)) return undefined;
  const block = blockOf(group, row);
  if (block === undefined) return undefined;
  // GetBlockWithTxs does not go beyond the state that it runs on.
  const end = /GetBlockWithTxs/.test(group)
    ? asked !== undefined && asked > 0n
      ? asked
      : bounds.state[1]
    : bounds.block[1];
  return block <= 0n ? 'invalid_argument' : judge(block, [bounds.block[0], end]);
}

function judge(height: bigint, [lowest, last]: readonly [bigint, bigint]): ErrorCode | undefined {
  if (height < 0n) return 'invalid_argument';
  // 0 is the latest.
  if (height === 0n) return undefined;
  if (height > last) return 'height_in_future';
  if (height < first) return 'height_never_existed';
  return height < lowest ? 'height_not_retained' : undefined;
}

/** Height from the header or the parameter; an invalid value is refused where the node reads it. */
function heightOf(row: ReadRow): bigint | 'no integer' | undefined {
  const pairs = [...(row.sent.metadata ?? []), ...(row.sent.headers ?? [])];
  const headers = pairs.filter(([name]) => /block-height$/i.test(name));
  // If the header occurs twice, it is ignored.
  const text = row.height ?? (headers.length === 1 ? headers[0]?.[1] : undefined);
  if (text === undefined) return undefined;
  if (!/^[+-]?\d+$/.test(text)) return 'no integer';
  const height = BigInt(text.replace(/^\+/, ''));
  return height >= -(2n ** 63n) && height < 2n ** 63n ? height : 'no integer';
}

function blockOf(group: string, row: ReadRow): bigint | undefined {
  const asked = (row.request as { height?: string } | null)?.height;
  if (asked !== undefined) return BigInt(asked);
  const inPath = /^rest\/id\/block\/([+-]?[0-9_a-z]+)$/.exec(group)?.[1];
  // Zero values are omitted from a request.
  if (inPath === undefined) return blockMethods.test(group) ? 0n : undefined;
  try {
    // Go's base 0: 0x1, 0b1, 0o7 and 1_0 are numbers, and a leading zero means octal.
    const plain = inPath.replaceAll('_', '').replace(/^\+/, '');
    return BigInt(/^0[0-7]+$/.test(plain) ? `0o${plain.slice(1)}` : plain);
  } catch {
    return undefined;
  }
}

const names: Readonly<Record<string, number>> = {
  InvalidArgument: 3,
  NotFound: 5,
  Unimplemented: 12,
  Internal: 13,
};

/** Error code for a gRPC code alone. */
export function judgeStatus(status: number | undefined): ErrorCode {
  return byStatus[status ?? -1] ?? 'unknown';
}

/** gRPC code of a row; `undefined` if the row has none. */
function statusOf(row: ReadRow): number | undefined {
  if (row.transport === 'grpc') return row.got.code ?? undefined;
  try {
    const body = JSON.parse(row.got.body ?? '') as {
      code?: number;
      result?: { response?: { code?: number; log?: string } };
    };
    if (row.transport === 'rest') return body.code;
    const log = body.result?.response?.log ?? '';
    return names[/rpc error: code = (\w+)/.exec(log)?.[1] ?? ''];
  } catch {
    return undefined;
  }
}
