/** How long a value stands: what a failed poll does to it is decided by its class. */
export type FamilyClass = 'config' | 'verdict' | 'observation' | 'slow' | 'sweep' | 'counter';

/** Declaration of a metric about the chain. */
export interface Family {
  readonly name: string;
  /** `info` and `stateset` are exposed as gauges, the text format knows no more. */
  readonly type: 'gauge' | 'counter' | 'info' | 'stateset';
  readonly labels: readonly string[];
  readonly help: string;
  readonly class: FamilyClass;
}

/** One value of a family; label values in the order of its labels. */
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

/** Fed by the ledger: counts every block once, also those that came while nothing answered. */
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

/** One series per member of an enum, exactly one of them 1. */
export const stateset = (name: string, labels: readonly string[], help: string): Family => ({
  name,
  type: 'stateset',
  labels,
  help,
  class: 'observation',
});

export const sample = (family: Family, labels: readonly string[], value: number): Sample => ({ family, labels, value });

/** Series of a state set: `members` and, when it is none of them, the present one. */
export const stateSamples = (
  family: Family,
  labels: readonly string[],
  members: readonly string[],
  present: string,
): Sample[] =>
  [...new Set([...members, present])].map((member) => sample(family, [...labels, member], member === present ? 1 : 0));
