/**
 * How messages show an address: scheme, host and port, or `host:port` as it was given. User, password, path and query are left
 * out, because any of them may be a secret. An address that cannot be taken apart is shown by its scheme alone.
 */
export function shownAddress(address: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/\/)?([\s\S]*)$/i.exec(address) ?? [];
  const [, host, port = '', below = ''] =
    /^(?:[^/?#]*@)?(\[[\da-f:.]+\]|[\p{L}\p{N}._-]+)(:\d{1,5})?((?:[/?#][\s\S]*)?)$/iu.exec(rest) ?? [];
  // A password with a slash ends the host too early.
  if (host === undefined || host.length > 253 || below.includes('@')) return `${scheme.toLowerCase()}…`;
  return `${scheme.toLowerCase()}${host}${port}`;
}
