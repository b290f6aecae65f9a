import { getBlockByHeight } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import { type Endpoint, queryTransports } from './endpoint.js';

/** Hashes at a height that two endpoints with the same history agree on. Upper-case hex. */
export interface BlockHash {
  /** Hash of the block itself. */
  readonly block: string;
  /** Hash of the application state before the block. */
  readonly app: string;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

/** Hashes of a block as reported by an endpoint; `undefined` if it does not return them now. */
export const blockHash = async (
  endpoint: Endpoint,
  height: bigint,
  signal: AbortSignal,
): Promise<BlockHash | undefined> => {
  try {
    if (endpoint.has.rpc) {
      const { header, commit } = await endpoint.rpc('commit', { height }, { signal });
      return { block: commit.blockId.hash, app: header.appHash };
    }
    const transport = queryTransports.find((one) => endpoint.has[one]);
    if (transport === undefined) return undefined;
    const { message } = await endpoint.query(transport, getBlockByHeight, { height }, { signal });
    const header = message.sdkBlock?.header ?? message.block?.header;
    if (message.blockId === undefined || header === undefined) return undefined;
    return { block: hex(message.blockId.hash), app: hex(header.appHash) };
  } catch (error) {
    // Not retained, not produced yet, or no response: no comparison is possible this time, and no verdict follows.
    if (signal.aborted) throw error;
    return undefined;
  }
};

/** Result for one compared endpoint: the height, and how its hashes relate to those of the majority. */
export interface HashComparison {
  readonly height: bigint;
  readonly block: 'agrees' | 'differs' | 'disputed';
  readonly app: 'agrees' | 'differs' | 'disputed';
}

interface Told {
  readonly endpoint: Endpoint;
  readonly height: bigint;
}

/**
 * Compares endpoints at heights that each of them has. Endpoints at the tip are compared at their lowest height.
 * Endpoints that are behind are compared at their own height with one of the majority. If two groups are equally large,
 * both are disputed.
 */
export const compareBlocks = async (
  atTip: readonly Told[],
  behind: readonly Told[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, HashComparison>> => {
  const found = new Map<string, HashComparison>();
  if (atTip.length + behind.length < 2) return found;
  const common = atTip.reduce((low, { height }) => (height < low ? height : low), atTip[0]?.height ?? 0n);
  const hashes = await Promise.all(
    atTip.map(async ({ endpoint }) => ({ endpoint, hash: await blockHash(endpoint, common, signal) })),
  );
  const known = hashes.flatMap(({ endpoint, hash }) => (hash === undefined ? [] : { endpoint, hash }));
  if (known.length > 1)
    for (const { endpoint, hash } of known)
      found.set(endpoint.name, {
        height: common,
        block: standingOf(
          hash.block,
          known.map((one) => one.hash.block),
        ),
        app: standingOf(
          hash.app,
          known.map((one) => one.hash.app),
        ),
      });
  const trusted = known.find(({ endpoint }) => {
    const own = found.get(endpoint.name);
    return own === undefined || (own.block === 'agrees' && own.app === 'agrees');
  });
  if (trusted === undefined) return found;
  await Promise.all(
    behind.map(async ({ endpoint, height }) => {
      const [own, right] = await Promise.all([
        blockHash(endpoint, height, signal),
        blockHash(trusted.endpoint, height, signal),
      ]);
      if (own === undefined || right === undefined) return;
      found.set(endpoint.name, {
        height,
        block: own.block === right.block ? 'agrees' : 'differs',
        app: own.app === right.app ? 'agrees' : 'differs',
      });
    }),
  );
  return found;
};

const standingOf = (hash: string, all: readonly string[]): HashComparison['block'] => {
  const votes = all.filter((one) => one === hash).length;
  const most = Math.max(
    ...all.filter((one) => one !== hash).map((one) => all.filter((other) => other === one).length),
    0,
  );
  if (votes > most) return 'agrees';
  return votes < most ? 'differs' : 'disputed';
};
