import { type Emitter, runtime } from './emitter.js';
import { quote } from './printer.js';
import { SourceFile } from './source-file.js';

/**
 * For a package with the names of one network built in: the remaining translation for a transport, which is headers
 * only.
 */
export const burntNaming: Emitter = {
  name: 'burnt naming',
  emit({ spec }) {
    const { profile, headers } = spec.naming;
    const source = new SourceFile('naming.ts', ['naming', 'wireNames', 'neutralNames']);
    const pairs = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1));
    const naming = source.type('Naming', runtime.naming);
    const identity = source.value('identityNaming', runtime.namingProfile);
    source.line(
      'const wireNames: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([',
      ...pairs.map(([neutral, wire]) => `  [${quote(neutral)}, ${quote(wire)}],`),
      ']);',
      '',
      'const neutralNames: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([',
      ...pairs.map(([neutral, wire]) => `  [${quote(wire)}, ${quote(neutral)}],`),
      ']);',
      '',
      '/** Naming for transports that ask for one: every name stands in this package as on the wire, headers excepted. */',
      `export const naming: ${naming} = {`,
      `  ...${identity},`,
      `  profile: ${quote(profile)},`,
      '  headerToWire: (name) => wireNames.get(name.toLowerCase()) ?? name.toLowerCase(),',
      '  headerFromWire: (name) => neutralNames.get(name.toLowerCase()) ?? name.toLowerCase(),',
      '};',
      '',
    );
    return [{ path: source.path, text: source.render() }];
  },
};
