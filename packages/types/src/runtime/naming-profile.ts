import type { Naming } from './naming.js';

export { identityNaming } from './identity-naming.js';

type Names = Readonly<Record<string, string>>;

/** A naming profile as data. Every table maps neutral → wire; a profile file may have further members. */
export interface NamingProfile {
  readonly profile: string;
  readonly segments: {
    readonly package: Names;
    readonly file?: Names;
    readonly route: Names;
    readonly event_type: Names;
  };
  /** Simple type names that differ in more than their package. */
  readonly type_names?: { readonly simple?: Names };
  readonly headers: Names;
  /** Values of headers that contain network names, by neutral header name. */
  readonly header_values?: Readonly<Record<string, Names>>;
  readonly json_members: Names;
  readonly amino?: { readonly segments: Names };
  readonly consensus_rpc_tags?: { readonly segments: Names };
}

/** Names that came from a network are cached too, so the cache is bounded. */
const maxMemo = 8192;

function memoised(map: (name: string) => string): (name: string) => string {
  const memo = new Map<string, string>();
  return (name) => {
    const known = memo.get(name);
    if (known !== undefined) return known;
    const mapped = map(name);
    if (memo.size >= maxMemo) memo.clear();
    memo.set(name, mapped);
    return mapped;
  };
}

function inverse(names: Names, what: string): Map<string, string> {
  const map = new Map<string, string>();
  for (const [neutral, wire] of Object.entries(names)) {
    const other = map.get(wire);
    if (other !== undefined) {
      throw new Error(
        `naming profile, ${what}: ${wire} stands for ${other} and ${neutral}; each wire name may stand for one`,
      );
    }
    map.set(wire, neutral);
  }
  return map;
}

function bySegments(names: ReadonlyMap<string, string>, separators: RegExp): (name: string) => string {
  return memoised((name) =>
    name
      .split(separators)
      .map((part) => names.get(part) ?? part)
      .join(''),
  );
}

function pair(names: Names, what: string, separators: RegExp): [(name: string) => string, (name: string) => string] {
  return [bySegments(new Map(Object.entries(names)), separators), bySegments(inverse(names, what), separators)];
}

function lowerCase(names: Names): Names {
  return Object.fromEntries(Object.entries(names).map(([from, to]) => [from.toLowerCase(), to.toLowerCase()]));
}

/**
 * Creates the two-way map of a profile.
 *
 * @throws Error when two neutral names of one table have the same wire name.
 */
export function createNaming(profile: NamingProfile): Naming {
  const dots = /([./])/;
  const [typeToWire, typeFromWire] = pair(
    { ...profile.segments.package, ...profile.type_names?.simple },
    'segments.package',
    dots,
  );
  const [fileToWire, fileFromWire] = pair(profile.segments.file ?? {}, 'segments.file', dots);
  const [aminoToWire, aminoFromWire] = pair(profile.amino?.segments ?? {}, 'amino', /(\/)/);
  const [routeToWire, routeFromWire] = pair(profile.segments.route, 'segments.route', /(\/)/);
  const [eventToWire, eventFromWire] = pair(profile.segments.event_type, 'segments.event_type', /(\.)/);
  const [tagToWire, tagFromWire] = pair(profile.consensus_rpc_tags?.segments ?? {}, 'consensus_rpc_tags', dots);
  // Headers and members are whole names: no separator ever matches.
  const [headerToWire, headerFromWire] = pair(lowerCase(profile.headers), 'headers', /(?!)/);
  const [memberToWire, memberFromWire] = pair(profile.json_members, 'json_members', /(?!)/);
  return {
    profile: profile.profile,
    typeToWire,
    typeFromWire,
    fileToWire,
    fileFromWire,
    aminoToWire,
    aminoFromWire,
    routeToWire,
    routeFromWire,
    headerToWire: (name) => headerToWire(name.toLowerCase()),
    headerFromWire: (name) => headerFromWire(name.toLowerCase()),
    memberToWire,
    memberFromWire,
    eventToWire: (type) => (type.includes('.') ? eventToWire(type) : type),
    eventFromWire: (type) => (type.includes('.') ? eventFromWire(type) : type),
    tagToWire,
    tagFromWire,
  };
}
