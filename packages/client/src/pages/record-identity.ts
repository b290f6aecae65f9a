type Form = Readonly<Record<string, unknown>>;

/** Members that identify a record of the hub, alone or together. */
const names = ['id', 'address', 'denom', 'txHash'] as const;

/**
 * Identity of a record, equal in two reads. A record of the hub keeps it even if the record changed in between. Records
 * of other modules have no identifying members, so the identity is the whole record.
 */
export function identityOf(record: unknown, service: string): string {
  return nameOfRecord(record, service) ?? JSON.stringify(record, plain);
}

/**
 * Like `identityOf`, but `undefined` for a record of the hub without identifying members. A reader that decodes only a
 * few members gets many equal records.
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
  // An allocation is one of several of a subscription, each with its own address.
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
