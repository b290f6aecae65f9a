/** Lifetime class of a value; it determines the effect of a failed poll on the value. */
export type FamilyClass = 'config' | 'verdict' | 'observation' | 'slow' | 'sweep' | 'counter';

/** Declaration of a metric about the chain. */
export interface Family {
  readonly name: string;
  /** `info` and `stateset` are exposed as gauges, because the text format has no such types. */
  readonly type: 'gauge' | 'counter' | 'info' | 'stateset';
  readonly labels: readonly string[];
  readonly help: string;
  readonly class: FamilyClass;
}

/** One value of a family; label values are in the order of its labels. */
export interface Sample {
  readonly family: Family;
  readonly labels: readonly string[];
  readonly value: number;
}

export const gauge = (
  name: string,
  labels: readonly string[],
  help: string,
  kind: FamilyClass = 'observation',
): Family => ({
  name,
  type: 'gauge',
  labels,
  help,
  class: kind,
});

/** Updated by the ledger: counts every block once, including blocks that arrived while no endpoint responded. */
export const counter = (name: string, labels: readonly string[], help: string): Family => ({
  name,
  type: 'counter',
  labels,
  help,
  class: 'counter',
});

export const info = (
  name: string,
  labels: readonly string[],
  help: string,
  kind: FamilyClass = 'observation',
): Family => ({
  name,
  type: 'info',
  labels,
  help,
  class: kind,
});

/** One series per member of an enum, exactly one of which is 1. */
export const stateset = (name: string, labels: readonly string[], help: string): Family => ({
  name,
  type: 'stateset',
  labels,
  help,
  class: 'observation',
});

export const sample = (family: Family, labels: readonly string[], value: number): Sample => ({ family, labels, value });

/** Series of a state set: one for each of `members` and, if the current state is not one of them, one for that state. */
export const stateSamples = (
  family: Family,
  labels: readonly string[],
  members: readonly string[],
  present: string,
): Sample[] =>
  [...new Set([...members, present])].map((member) => sample(family, [...labels, member], member === present ? 1 : 0));
