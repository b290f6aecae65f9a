import { defaultForm } from '../src/runtime/default-form.js';
import { memberOf } from '../src/runtime/form-member.js';
import type { Field, Kind, MessageTable } from '../src/runtime/table.js';

type Form = Record<string, unknown>;

/** A form with a value in every field down to `depth` messages, for comparisons with another codec. */
export function fullForm(table: MessageTable, depth = 3): Form {
  const form: Form = { ...(defaultForm(table) as Form) };
  for (const field of table.fields) {
    const value = valueOf(field, depth);
    if (field.oneof !== undefined) {
      if (value !== undefined) form[memberOf(field)] ??= { $case: field.prop, value };
    } else if (field.repeated) form[memberOf(field)] = value === undefined ? [] : [value, value];
    else if (value !== undefined) form[memberOf(field)] = value;
  }
  return form;
}

function valueOf(field: Field, depth: number): unknown {
  switch (field.kind) {
    case 'message':
      return depth === 0 ? undefined : fullForm(field.message(), depth - 1);
    case 'any': {
      const [known] = Object.entries(field.any?.() ?? {});
      if (depth === 0 || known === undefined) return undefined;
      return { typeUrl: `/${known[0]}`, value: fullForm(known[1](), depth - 1) };
    }
    case 'enum':
      return Object.values(field.enum().values).at(-1);
    default:
      return samples[field.kind];
  }
}

const text = new TextEncoder();

const samples: Partial<Record<Kind, unknown>> = {
  bool: true,
  int32: -7,
  uint32: 2 ** 32 - 1,
  int64: -(2n ** 53n) - 1n,
  uint64: 2n ** 64n - 1n,
  double: 0.1,
  string: '<größer> & \u{1F310}',
  bytes: Uint8Array.from([0, 255, 62, 63]),
  hex: Uint8Array.from([171, 205]),
  rawJson: text.encode('{"a":9007199254740993}'),
  int: '18446744073709551616',
  dec: '0.002500000000000000',
  decBytes: '-12.000000000000000001',
  decText: '0.500000000000000000',
  timestamp: { seconds: 1_700_000_000n, nanos: 731_312_280 },
  duration: { seconds: -1n, nanos: -500_000_000 },
};
