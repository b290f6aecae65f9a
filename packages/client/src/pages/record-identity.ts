type Form = Readonly<Record<string, unknown>>;

/** Members that name a record of the hub, alone or together. */
const names = ['id', 'address', 'denom', 'txHash'] as const;

/**
 * Text that two reads of one record share, of a record of the hub also when it has changed in between. Nothing names the
 * records of other modules, so that for them it is the whole record.
 */
export function identityOf(record: unknown, service: string): string {
  return nameOfRecord(record, service) ?? JSON.stringify(record, plain);
}

/**
 * The same where it is sure to differ between two records: `undefined` for a record of the hub without the members that name
 * it. A reader that decodes a few members only gets many equal records.
 */
export function surelyNamed(record: unknown, service: string): string | undefined {
  return service.startsWith('hub.') ? nameOfRecord(record, service) : identityOf(record, service);
}

function nameOfRecord(record: unknown, service: string): string | undefined {
  if (!service.startsWith('hub.')) return undefined;
  const value = memberOf(record, 'value');
  return nameIn(record) ?? nameIn(value) ?? nameIn(memberOf(value, 'baseSession'));
}

function nameIn(record: unknown): string | undefined {
  // An allocation is one of several of a subscription, each with an address.
  const parts = names.flatMap((name) => {
    const value = memberOf(record, name);
    return typeof value === 'string' || typeof value === 'bigint'
      ? [`${name}=${value}`]
      : value instanceof Uint8Array
        ? [`${name}=${plain('', value) as string}`]
        : [];
  });
  return parts.length === 0 ? undefined : parts.join(' ');
}

function memberOf(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null ? (record as Form)[name] : undefined;
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  return value instanceof Uint8Array
    ? `x${[...value].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
    : value;
}
