import { renamer } from '../naming/rename.js';
import type { NamingSpec } from '../load/spec-types.js';
import type { EmittedFile } from './emitter.js';
import { entryExports } from './entries.js';
import { generatedHeader } from './source-file.js';

export interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly naming: NamingSpec;
  /** Generated files in `src/gen`. */
  readonly generated: readonly string[];
}

/** Files around the generated sources of a package: manifest, compiler settings, entries, readme, licence. */
export function packageFiles(facts: PackageFacts): EmittedFile[] {
  return [
    { path: 'package.json', text: `${JSON.stringify(manifest(facts), undefined, 2)}\n` },
    { path: 'tsconfig.json', text: `${JSON.stringify(compilerSettings, undefined, 2)}\n` },
    { path: 'README.md', text: readme(facts) },
    { path: 'LICENSE', text: facts.license },
    {
      path: 'src/index.ts',
      text: module("export * from '@hubwatch/types';", "export { naming } from './gen/naming.js';"),
    },
    ...['binary', 'event', 'json'].map((name) => ({
      path: `src/runtime/${name}.ts`,
      text: module(`export * from '@hubwatch/types/runtime/${name}';`),
    })),
  ];
}

function module(...lines: readonly string[]): string {
  return [generatedHeader, ...lines, ''].join('\n');
}

function manifest({ name, version, naming, generated }: PackageFacts): object {
  const entry = (path: string): object => ({ types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` });
  return {
    name,
    version,
    description: `Generated types, method constants, routes and tables under the names of the ${naming.profile} network`,
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=20.19' },
    files: ['dist', 'openapi.json'],
    sideEffects: false,
    exports: {
      '.': entry('index'),
      './openapi.json': './openapi.json',
      './package.json': './package.json',
      ...Object.fromEntries(Object.entries(entryExports(generated)).map(([from, path]) => [from, entry(path)])),
      './*': entry('*'),
    },
    scripts: { build: 'tsc -p tsconfig.json', prepack: 'npm run build' },
    publishConfig: { access: 'public' },
    dependencies: { '@hubwatch/types': version },
    devDependencies: { typescript: '>=5.9' },
  };
}

const compilerSettings = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    declaration: true,
    noEmitOnError: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
};

function readme({ name, naming }: PackageFacts): string {
  const type = renamer(naming, 'type');
  const route = renamer(naming, 'route');
  const entry = `${name}/${type('hub.node.v3').replaceAll('.', '/')}`;
  return `# ${name}

The content of \`@hubwatch/types\` under the names of the ${naming.profile} network. Type URLs, services, routes, event types and
JSON members have their names on the wire, so nothing has to be translated. ESM, Node 20.19 or newer and browsers.

\`\`\`sh
npm install ${name}
\`\`\`

## Read the gateway with plain fetch

\`\`\`ts
import { queryNodes } from '${entry}';
import { fromJson } from '${name}/runtime/json';

const answer = await fetch('http://127.0.0.1:1317${route('/hub/node/v3/nodes')}?pagination.limit=2');
const { nodes } = fromJson(queryNodes.response, await answer.json());
for (const { address, inactiveAt } of nodes) console.log(address, inactiveAt?.seconds);
\`\`\`

\`\`\`text
sentnode1ythg7xx6sa4n8778zkdyn3hepmy9hl8p256vra 1795843123n
sentnode1y54gw3y8hsvvzaw94n389t0ufhkgevmaq2hldt 1795843094n
\`\`\`

## With @hubwatch/client

The client accepts the constants of this package and those of \`@hubwatch/types\` at the same time; do not change its naming.
If you create a transport yourself, pass the \`naming\` of this package, which translates headers only.

\`\`\`ts
import { createRestTransport } from '@hubwatch/client/rest';
import { naming } from '${name}';
import { queryNode } from '${entry}';

const rest = createRestTransport({ address: 'http://127.0.0.1:1317', naming });
const address = 'sentnode1ythg7xx6sa4n8778zkdyn3hepmy9hl8p256vra';
const { message, height } = await rest.call(queryNode, { address }, { height: 902_350n });
console.log(height, message.node.status);
\`\`\`

\`\`\`text
902350n 1
\`\`\`

\`${name}/openapi.json\` describes the gateway as OpenAPI 3.1, with the served routes only.

The entries are those of \`@hubwatch/types\`: one per proto package, and \`gen/services\`, \`gen/methods\`, \`gen/forms\`,
\`gen/any\`, \`gen/events\`, \`gen/rest/routes\`, \`gen/rpc/methods\`, \`gen/errors\`. This package depends on \`@hubwatch/types\` and
uses its codec.
`;
}
