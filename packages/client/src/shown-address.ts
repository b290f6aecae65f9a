/**
 * Address as messages show it: scheme, host and port, or `host:port` as it was given. User, password, path and query
 * are omitted, because any of them may be a secret. An address that cannot be parsed is shown by its scheme only.
 */
export function shownAddress(address: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)?([\s\S]*)$/i.exec(address) ?? [];
  const [, host, port = '', below = ''] =
    /^(?:[^/?#]*@)?(\[[\da-f:.]+\]|[\p{L}\p{N}._-]+)(:\d{1,5})?((?:[/?#][\s\S]*)?)$/iu.exec(rest) ?? [];
  // With a slash in a password, the host would end too early.
  if (host === undefined || host.length > 253 || below.includes('@')) return `${scheme.toLowerCase()}…`;
  return `${scheme.toLowerCase()}${host}${port}`;
}
