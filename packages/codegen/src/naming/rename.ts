import type { NamingSpec } from '../load/spec-types.js';
import { ownValue } from '../own-value.js';

type Names = Readonly<Record<string, string>>;

/** Kinds of names that a profile maps, each by its own table and separators. */
export type NameKind = 'type' | 'file' | 'route' | 'event' | 'header' | 'member' | 'amino' | 'tag';

/** Maps a name of one kind from neutral to wire. */
export function renamer(naming: NamingSpec, kind: NameKind): (name: string) => string {
  const { segments, type_names: typeNames } = naming;
  switch (kind) {
    case 'type':
      return bySegments({ ...segments.package, ...typeNames.simple }, /([./])/);
    case 'file':
      return bySegments(segments.file, /([/.])/);
    case 'route':
      return bySegments(segments.route, /(\/)/);
    case 'event':
      return bySegments(segments.event_type, /(\.)/);
    case 'amino':
      return bySegments(naming.amino.segments, /(\/)/);
    case 'tag':
      return bySegments(naming.consensus_rpc_tags.segments, /([/.])/);
    case 'header':
      return (name) => ownValue(naming.headers, name) ?? name;
    case 'member':
      return (name) => ownValue(naming.json_members, name) ?? name;
  }
}

/** Maps whole segments only: parts of a segment are never replaced. */
function bySegments(names: Names, separators: RegExp): (name: string) => string {
  const map = new Map(Object.entries(names));
  const renamed = new Map<string, string>();
  return (name) => {
    let known = renamed.get(name);
    if (known === undefined) {
      known = name
        .split(separators)
        .map((part) => map.get(part) ?? part)
        .join('');
      renamed.set(name, known);
    }
    return known;
  };
}

/** Reverses a profile. */
export function invert(naming: NamingSpec): NamingSpec {
  const swap = (names: Names): Names => Object.fromEntries(Object.entries(names).map(([from, to]) => [to, from]));
  return {
    ...naming,
    segments: {
      package: swap(naming.segments.package),
      file: swap(naming.segments.file),
      route: swap(naming.segments.route),
      event_type: swap(naming.segments.event_type),
    },
    type_names: { simple: swap(naming.type_names.simple) },
    headers: swap(naming.headers),
    json_members: swap(naming.json_members),
    amino: { segments: swap(naming.amino.segments) },
    consensus_rpc_tags: { segments: swap(naming.consensus_rpc_tags.segments) },
  };
}
