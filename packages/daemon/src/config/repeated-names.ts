import { type Found, pathText } from './problem.js';
import { hubAddress } from './scalars.js';

/** Finds repeated names that must be unique. Accepts an unvalidated file. */
export const repeatedNames = (written: unknown): readonly Found[] => [
  ...repeated(written, ['endpoints'], 'name', (name) => name),
  ...repeated(written, ['notifiers', 'webhooks'], 'name', (name) => name),
  ...repeated(written, ['watch', 'nodes'], 'address', (address) => hubAddress('sentnode').safeParse(address).data),
  ...repeated(written, ['watch', 'providers'], 'address', (address) => hubAddress('sentprov').safeParse(address).data),
  ...repeated(written, ['watch', 'accounts'], 'address', (address) => hubAddress('sent').safeParse(address).data),
];

const repeated = (
  written: unknown,
  path: readonly string[],
  member: string,
  identity: (value: string) => string | undefined,
): readonly Found[] => {
  const list = path.reduce<unknown>(listMember, written);
  if (!Array.isArray(list)) return [];
  const identities = list.map((item) => {
    const value = listMember(item, member);
    return typeof value === 'string' ? identity(value) : undefined;
  });
  const firsts = new Map<string, number>();
  return identities.flatMap((one, index): Found[] => {
    if (one === undefined) return [];
    const first = firsts.get(one);
    if (first === undefined) {
      firsts.set(one, index);
      return [];
    }
    return [{ path: [...path, index, member], message: `is the same as ${pathText([...path, first, member])}` }];
  });
};

/** Reads a member of a value of any type. */
export const listMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
