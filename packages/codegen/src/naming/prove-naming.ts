import type { Linked } from '../load/link.js';
import { SpecError } from '../load/spec-error.js';
import type { Spec } from '../load/spec-types.js';
import { knownNames } from './known-names.js';
import { invert, type NameKind, renamer } from './rename.js';

export interface NamingProof {
  /** Number of checked names. */
  readonly names: number;
  /** Number of names that the profile changes. */
  readonly changed: number;
}

/**
 * Proves for every known name that the profile is one-to-one and that its inverse restores the name.
 *
 * @throws SpecError naming the first name that is not restored
 */
export function proveNaming(linked: Linked, spec: Spec): NamingProof {
  const inverse = invert(spec.naming);
  let count = 0;
  let changed = 0;
  for (const [kind, names] of Object.entries(knownNames(linked, spec)) as [NameKind, ReadonlySet<string>][]) {
    const toWire = renamer(spec.naming, kind);
    const fromWire = renamer(inverse, kind);
    const taken = new Map<string, string>();
    for (const name of names) {
      const wire = toWire(name);
      const fault = (what: string): SpecError =>
        new SpecError('naming', [], `${kind} name ${name} becomes ${wire}, ${what}`);
      const other = taken.get(wire);
      if (other !== undefined) throw fault(`which ${other} becomes too; each wire name may stand for one neutral name`);
      if (fromWire(wire) !== name) throw fault(`which reads back as ${fromWire(wire)}`);
      taken.set(wire, name);
      count++;
      if (wire !== name) changed++;
    }
  }
  return { names: count, changed };
}
