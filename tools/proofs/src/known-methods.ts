import { allMethods } from '@hubwatch/types/gen/methods/all';
import type { AnyMethod } from '@hubwatch/types/runtime/method';

/** Every method by `<service>/<method>`, as named in the recordings. */
export const knownMethods: ReadonlyMap<string, AnyMethod> = new Map(
  allMethods.map((method) => [`${method.service}/${method.name}`, method]),
);
