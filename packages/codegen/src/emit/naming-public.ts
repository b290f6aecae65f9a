import { noNaming } from '../load/spec-defaults.js';
import type { Emitter } from './emitter.js';
import { runtime } from './emitter.js';
import { docComment, identifier, memberName, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/** The naming profile of the public network as data. */
export const namingPublic: Emitter = {
  name: 'naming',
  emit({ spec }) {
    // If wire names equal the names in the proto files, there is no data.
    if (spec.naming === noNaming) return [];
    const { profile } = spec.naming;
    const source = new SourceFile(`naming/${profile}.ts`);
    const naming = source.type('NamingProfile', runtime.namingProfile);
    source.line(
      docComment(
        `Names of the ${profile} network for the neutral names of this package: every table reads neutral → wire.`,
      ),
      `export const ${identifier(`${profile}Profile`)} = ${literal(spec.naming, '')} as const satisfies ${naming} & { readonly [further: string]: unknown };`,
    );
    return [{ path: source.path, text: source.render() }];
  },
};

function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return quote(value);
  const entries = Object.entries(value as Record<string, unknown>).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return '{}';
  const inner = `${indent}  `;
  const lines = entries.map(([name, member]) => `${inner}${memberName(name)}: ${literal(member, inner)},`);
  return `{\n${lines.join('\n')}\n${indent}}`;
}
