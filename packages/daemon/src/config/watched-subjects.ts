import { convertAddress } from '@hubwatch/client/address';
import { allowedNames, nearestKey } from './nearest-key.js';
import type { Found } from './problem.js';
import { oneLine } from '../words.js';
import { quoted, shownKey } from './quoted.js';
import { listMember } from './repeated-names.js';

/** Subjects of the daemon and of lists that no configuration key contains. */
const fixed: readonly string[] = ['chain', 'network', 'sweeps', 'renewals', 'oracle'];
/** Records of the chain, such as `lease-3`. */
const record = /^[a-z]+-\d+$/;

interface Names {
  /** Accepted names, each with its subject. */
  readonly subjects: ReadonlyMap<string, string>;
  /** Names listed in a message: names and aliases first. */
  readonly shown: readonly string[];
}

/** Names of possible subjects of alerts. */
const namesOf = (config: unknown): Names => {
  const subjects = new Map<string, string>();
  const add = (name: unknown, subject: unknown = name): void => {
    if (typeof name === 'string' && typeof subject === 'string') subjects.set(name, subject);
  };
  const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  for (const name of fixed) add(name);
  const network = listMember(config, 'network');
  add(listMember(network, 'name'));
  add(listMember(network, 'chain_id'));
  for (const endpoint of listed(listMember(config, 'endpoints'))) add(listMember(endpoint, 'name'));
  const watch = listMember(config, 'watch');
  for (const [list, kind] of [
    ['nodes', 'node'],
    ['providers', 'provider'],
    ['accounts', 'account'],
  ] as const) {
    for (const one of listed(listMember(watch, list))) {
      const address = listMember(one, 'address');
      const subject = typeof address === 'string' ? converted(address, kind) : undefined;
      add(address, subject);
      add(subject);
      if (typeof address === 'string') add(converted(address, 'account'));
      add(listMember(one, 'alias'), subject);
    }
  }
  const shown = [...subjects.keys()].filter((name) => !fixed.includes(name) && !name.startsWith('sent'));
  return { subjects, shown };
};

const converted = (address: string, kind: 'node' | 'provider' | 'account'): string | undefined => {
  try {
    return convertAddress(address.trim(), kind);
  } catch {
    // Not an address; the schema reports it.
    return undefined;
  }
};

/** The subject for a name, an alias or an address, or why there is none; `show` formats names for a message. */
export const subjectNamed = (
  config: unknown,
  written: string,
  names = namesOf(config),
  show: (name: string) => string = (name) => oneLine(name, 63),
): { readonly subject: string } | { readonly fault: string } => {
  const subject = names.subjects.get(written) ?? (record.test(written) ? written : undefined);
  if (subject !== undefined) return { subject };
  const nearest = nearestKey(written, [...names.subjects.keys()]);
  const allowed = [...names.shown.slice(0, 20).map(show), ...(names.shown.length > 20 ? ['…'] : [])];
  return {
    fault: `nothing is watched under ${quoted(written)}${allowedNames(nearest === undefined ? undefined : show(nearest), allowed)}, and addresses of watched nodes, providers and accounts`,
  };
};

/** Subjects of maintenance windows that are not watched. */
export const unknownSubjects = (written: unknown): readonly Found[] => {
  const windows = listMember(written, 'maintenance');
  if (!Array.isArray(windows)) return [];
  const names = namesOf(written);
  return windows.flatMap((window: unknown, index) => {
    const subjects = listMember(window, 'subjects');
    if (!Array.isArray(subjects)) return [];
    return subjects.flatMap((subject: unknown, at): readonly Found[] => {
      if (typeof subject !== 'string' || subject === '') return [];
      // Names from a file that has not been accepted may contain anything, including a secret.
      const found = subjectNamed(written, subject, names, shownKey);
      return 'fault' in found ? [{ path: ['maintenance', index, 'subjects', at], message: found.fault }] : [];
    });
  });
};

/** Windows with names replaced by subjects. */
export const withSubjects = <C extends { readonly maintenance: readonly { readonly subjects: readonly string[] }[] }>(
  config: C,
): C => {
  const names = namesOf(config);
  return {
    ...config,
    maintenance: config.maintenance.map((window) => ({
      ...window,
      subjects: window.subjects.map((subject) => names.subjects.get(subject) ?? subject),
    })),
  };
};
