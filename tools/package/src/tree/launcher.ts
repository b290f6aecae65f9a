/**
 * Program `bin/hubwatch`. It finds the bundle next to its own folder, so it works below `/usr` and in an unpacked tarball,
 * also through a symbolic link.
 */
export const launcher = `#!/bin/sh
prefix=$(dirname "$(dirname "$(readlink -f "$0")")")
exec "$prefix/lib/hubwatch/bin/node" "$prefix/lib/hubwatch/node_modules/@hubwatch/daemon/bin/hubwatch.mjs" "$@"
`;
