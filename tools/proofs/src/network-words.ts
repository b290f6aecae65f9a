/**
 * The words of the public network, written down by hand: what the naming is held against shares nothing with it.
 */
const words: readonly (readonly [wire: string, neutral: string])[] = [
  ['cosmos', 'stack'],
  ['sentinel', 'hub'],
  ['tendermint', 'bft'],
  ['cosmwasm', 'stackwasm'],
  ['cosmos_proto', 'stack_proto'],
];

function swap(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  // Whole segments before a dot or a slash; amino names have a word of their own.
  const named = pairs.reduce(
    (found, [from, to]) => found.replaceAll(new RegExp(`(?<![\\w-])${from}(?=[./])`, 'g'), to),
    text,
  );
  return pairs[0]?.[0] === 'cosmos'
    ? named.replaceAll('"cosmos-sdk/', '"stack-sdk/').replaceAll(/\bCosmos(Tx|Query|Response)\b/g, 'Stack$1')
    : named.replaceAll('"stack-sdk/', '"cosmos-sdk/').replaceAll(/\bStack(Tx|Query|Response)\b/g, 'Cosmos$1');
}

/** A text with names of the network under neutral ones. */
export function neutralText(text: string): string {
  return swap(text, words);
}

/** A text with neutral names under those of the network. */
export function wireText(text: string): string {
  return swap(
    text,
    words.map(([wire, neutral]) => [neutral, wire] as const),
  );
}

/** What the profile never maps: client types of ibc, the node's own name, build paths. */
const data = /07-tendermint(?:-\d+)?|\bsentinel(?:hub)?$|\bcosmossdk\.io\b|\bgithub\.com\/\S*/g;

/** The first word of the network that is left in the texts of a value; bytes are opaque. */
export function wordLeft(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') {
    const found = /cosmos|sentinel|tendermint|cosmwasm/.exec(value.replaceAll(data, ''));
    return found === null ? undefined : `${path}: ${value.slice(0, 120)}`;
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const left = wordLeft(member, `${path}.${name}`);
    if (left !== undefined) return left;
  }
  return undefined;
}
