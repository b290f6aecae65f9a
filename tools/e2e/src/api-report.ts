import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Published, published, workspace } from '@hubwatch/bench/consumers';
import ts from 'typescript';

/**
 * The public API of each published package as text: entry by entry, name by name, with the signature of its declaration. It is
 * committed, so that a change of the API is a line in a diff. Read from the declarations that the build writes.
 */
export function apiReports(): ReadonlyMap<string, string> {
  return new Map(published.map((name) => [`packages/${name}/api-report.txt`, apiReport(name)]));
}

function apiReport(name: Published): string {
  const entries = entriesOf(name);
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, noLib: true, types: [] },
  );
  const checker = program.getTypeChecker();
  const sections = entries.map(({ entry, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    return [`# ${entry}`, ...symbols.flatMap((symbol) => linesOf(symbol, checker)).sort(), ''].join('\n');
  });
  return sections.join('\n');
}

interface Entry {
  /** What is imported, `@hubwatch/client/rest`. */
  readonly entry: string;
  readonly file: string;
}

type Target = string | { readonly types?: string };

/** The entries of a manifest; a pattern is every declaration that it matches and no other entry names. */
function entriesOf(name: Published): Entry[] {
  const folder = join(workspace, 'packages', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, Target>>;
  };
  const entries = new Map<string, string>();
  for (const [path, target] of Object.entries(manifest.exports)) {
    if (typeof target === 'string' || target.types === undefined) continue;
    const entry = (each: string): string => join(manifest.name, each);
    if (!path.includes('*')) entries.set(entry(path), join(folder, target.types));
    else for (const each of sourcesOf(folder)) entries.set(entry(each), join(folder, target.types.replace('*', each)));
  }
  return [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([entry, file]) => ({ entry, file }));
}

/** By the sources: the build leaves the output of a deleted one behind. */
function sourcesOf(folder: string): string[] {
  return ts.sys
    .readDirectory(join(folder, 'src'), ['.ts'], ['**/*.test.ts', '**/gen/messages/**'])
    .map((file) => relative(join(folder, 'src'), file).replaceAll('\\', '/').replace(/\.ts$/, ''))
    .filter((path) => path !== 'index' && existsSync(join(folder, 'dist', `${path}.d.ts`)));
}

function linesOf(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const texts = (target.declarations ?? []).map((declaration) => `${symbol.name}: ${signature(declaration)}`);
  return texts.length > 0 ? texts : [`${symbol.name}: (not found)`];
}

const printer = ts.createPrinter({ removeComments: true });

function signature(declaration: ts.Declaration): string {
  // A constant is declared inside a list, which says that it is one.
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return printer
    .printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile())
    .replace(/\s+/g, ' ')
    .replace(/^(?:export )?(?:declare )?/, '')
    .replace(/;$/, '');
}
