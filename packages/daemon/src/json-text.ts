/** A value as JSON text. A bigint, which JSON does not have, is written as decimal text. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? String(member) : member), indent);
