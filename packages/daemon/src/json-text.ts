/** Serializes a value as JSON. A bigint, which JSON does not support, is written as a decimal string. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? String(member) : member), indent);
