/**
 * Program `bin/hubwatch`. It locates the bundle relative to its own folder, so it works below `/usr`, in an unpacked tarball
 * and through a symbolic link.
 */
export const launcher = `#!/bin/sh
prefix=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$prefix/lib/hubwatch/bin/node" "$prefix/lib/hubwatch/node_modules/@hubwatch/daemon/bin/hubwatch.mjs" "$@"
`;
