/**
 * Status of a bandwidth node, from its own HTTP interface. Releases differ in names and number formats, and a node may
 * return anything. Therefore nothing here throws and nothing is dropped.
 *
 * @source assumed: nothing documents the API of the nodes
 */

export interface AnsweredNodeInfo {
  readonly address: string | undefined;
  readonly moniker: string | undefined;
  /** Text or number of the kind of tunnel, as reported by the node. */
  readonly serviceType: string | undefined;
  readonly peers: number | undefined;
  readonly version: string | undefined;
  /**
   * Speeds as reported, in the node's own unit and under its own labels: some releases swap the two, and we measure
   * neither.
   */
  readonly downloadAsReported: bigint | undefined;
  readonly uploadAsReported: bigint | undefined;
  /** Every other member, unchanged. */
  readonly unknown: Readonly<Record<string, unknown>>;
}

export type NodeAnswer =
  | { readonly ok: true; readonly info: AnsweredNodeInfo }
  | { readonly ok: false; readonly code: number | undefined; readonly message: string };

type Members = Readonly<Record<string, unknown>>;

/** Reads the parsed JSON of a response: `{ success, result }`, `{ success, error }`, or a bare result. */
export function readNodeAnswer(json: unknown): NodeAnswer {
  const answer = membersOf(json);
  if (answer === undefined) return failure(undefined, `no object but ${shown(json)}`);
  const { error } = answer;
  if (error !== undefined && error !== null) return readFailure(error);
  if (answer['success'] === false) return failure(undefined, 'the node tells of a failure without an error');
  return { ok: true, info: readInfo(membersOf(answer['result']) ?? answer) };
}

function shown(json: unknown): string {
  return json === undefined ? 'nothing' : JSON.stringify(json).slice(0, 80);
}

function readFailure(error: unknown): NodeAnswer {
  if (typeof error === 'string') return failure(undefined, error);
  const { code, message } = membersOf(error) ?? {};
  return failure(numberOf(code), textOf(message) ?? JSON.stringify(error));
}

function failure(code: number | undefined, message: string): NodeAnswer {
  return { ok: false, code, message };
}

function readInfo(members: Members): AnsweredNodeInfo {
  const taken = new Set<string>();
  /** Value of the first name that can be read; unreadable values stay in `unknown`. */
  const take = <T>(read: (value: unknown) => T | undefined, ...names: readonly string[]): T | undefined => {
    for (const name of names) {
      const value = read(members[name]);
      if (value === undefined) continue;
      taken.add(name);
      return value;
    }
    return undefined;
  };
  const info = {
    address: take(textOf, 'addr', 'address'),
    moniker: take(textOf, 'moniker'),
    serviceType: take(textOf, 'service_type', 'type'),
    peers: take(numberOf, 'peers'),
    version: take(versionOf, 'version'),
    downloadAsReported:
      take(wholeOf, 'downlink', 'download') ?? take((speeds) => wholeOf(membersOf(speeds)?.['download']), 'bandwidth'),
    uploadAsReported:
      take(wholeOf, 'uplink', 'upload') ?? take((speeds) => wholeOf(membersOf(speeds)?.['upload']), 'bandwidth'),
  };
  return { ...info, unknown: Object.fromEntries(Object.entries(members).filter(([name]) => !taken.has(name))) };
}

function membersOf(json: unknown): Members | undefined {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Members) : undefined;
}

function textOf(json: unknown): string | undefined {
  return typeof json === 'string' ? json : typeof json === 'number' ? String(json) : undefined;
}

/** A tag, or an object of tag and commit. */
function versionOf(json: unknown): string | undefined {
  return textOf(json) ?? textOf(membersOf(json)?.['tag']) ?? textOf(membersOf(json)?.['commit']);
}

function numberOf(json: unknown): number | undefined {
  const number = typeof json === 'string' && /^-?\d+$/.test(json) ? Number(json) : json;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

function wholeOf(json: unknown): bigint | undefined {
  if (typeof json === 'string') return /^\d+$/.test(json) ? BigInt(json) : undefined;
  // Speeds are numbers with a fraction in some releases.
  return typeof json === 'number' && Number.isFinite(json) && json >= 0 ? BigInt(Math.trunc(json)) : undefined;
}
