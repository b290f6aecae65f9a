/** The words of the public network, written by hand: this reference shares nothing with the naming under test. */
const words: readonly (readonly [wire: string, neutral: string])[] = [
  ['cosmos', 'stack'],
  ['sentinel', 'hub'],
  ['tendermint', 'bft'],
  ['cosmwasm', 'stackwasm'],
  ['cosmos_proto', 'stack_proto'],
];

function swap(text: string, pairs: readonly (readonly [from: string, to: string])[]): string {
  // Whole segments before a dot or a slash; amino names have a separate word.
  const named = pairs.reduce(
    (found, [from, to]) => found.replaceAll(new RegExp(`(?<![\\w-])${from}(?=[./])`, 'g'), to),
    text,
  );
  return pairs[0]?.[0] === 'cosmos'
    ? named.replaceAll('"cosmos-sdk/', '"stack-sdk/').replaceAll(/\bCosmos(Tx|Query|Response)\b/g, 'Stack$1')
    : named.replaceAll('"stack-sdk/', '"cosmos-sdk/').replaceAll(/\bStack(Tx|Query|Response)\b/g, 'Cosmos$1');
}

/** Converts a text with the network's names to neutral names. */
export function neutralText(text: string): string {
  return swap(text, words);
}

/** Converts a text with neutral names to the network's names. */
export function wireText(text: string): string {
  return swap(
    text,
    words.map(([wire, neutral]) => [neutral, wire] as const),
  );
}

/** Words that the profile never maps: ibc client types, the node's own name, build paths. */
const data = /07-tendermint(?:-\d+)?|\bsentinel(?:hub)?$|\bcosmossdk\.io\b|\bgithub\.com\/\S*/g;

/** Finds the first network word that is left in the texts of a value; bytes are opaque. */
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
