import type { $ZodType, $ZodTypeDef } from 'zod/v4/core';

type Def = $ZodTypeDef & {
  readonly innerType?: $ZodType;
  readonly element?: $ZodType;
  readonly in?: $ZodType;
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly valueType?: $ZodType;
};

const defOf = (schema: $ZodType): Def => schema._zod.def;

const unwrapped = (schema: $ZodType): $ZodType => {
  const { innerType, in: input } = defOf(schema);
  const inner = innerType ?? input;
  return inner === undefined ? schema : unwrapped(inner);
};

/** Keys that a configuration schema allows at `path`; empty if it allows any or no keys. */
export const allowedKeys = (schema: $ZodType, path: readonly PropertyKey[]): readonly string[] => {
  let current: $ZodType | undefined = unwrapped(schema);
  for (const step of path) {
    const def: Def = defOf(current);
    current = typeof step === 'number' ? def.element : (def.shape?.[String(step)] ?? def.valueType);
    if (current === undefined) return [];
    current = unwrapped(current);
  }
  return Object.keys(defOf(current).shape ?? {});
};
