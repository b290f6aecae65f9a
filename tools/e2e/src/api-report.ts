import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Published, published, workspace } from '@hubwatch/bench/consumers';
import ts from 'typescript';

/**
 * The public API of each published package as text: the signature of each declaration, by entry and name. The reports
 * are committed, so that an API change is visible in a diff. They are generated from the built declarations.
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
    const print = isCollection(file) ? originOf : linesOf;
    return [`# ${entry}`, ...symbols.flatMap((symbol) => print(symbol, checker)).sort(), ''].join('\n');
  });
  return sections.join('\n');
}

interface Entry {
  /** Import specifier, such as `@hubwatch/client/rest`. */
  readonly entry: string;
  readonly file: string;
}

type Target = string | { readonly types?: string };

/**
 * The entries of a manifest. A pattern expands to every declaration that it matches, except those of another entry or a
 * longer pattern.
 */
function entriesOf(name: Published): Entry[] {
  const folder = join(workspace, 'packages', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, Target>>;
  };
  const byFile = new Map<string, string>();
  const add = (path: string, target: string): void => {
    const file = join(folder, target);
    if (!byFile.has(file)) byFile.set(file, join(manifest.name, path));
  };
  const targets = Object.entries(manifest.exports).flatMap(([path, target]) =>
    typeof target === 'string' || target.types === undefined ? [] : [[path, target.types] as const],
  );
  const exact = targets.filter(([path]) => !path.includes('*'));
  const patterns = targets.filter(([path]) => path.includes('*')).sort(([a], [b]) => b.length - a.length);
  for (const [path, target] of exact) add(path, target);
  for (const [path, target] of patterns) {
    const [before = '', after = ''] = target.split('*');
    for (const source of sourcesOf(folder)) {
      const file = `./dist/${source}.d.ts`;
      if (file.startsWith(before) && file.endsWith(after))
        add(path.replace('*', file.slice(before.length, -after.length)), file);
    }
  }
  return [...byFile].map(([file, entry]) => ({ entry, file })).sort((a, b) => (a.entry < b.entry ? -1 : 1));
}

/** Based on the sources: the build does not remove the output of a deleted source. */
function sourcesOf(folder: string): string[] {
  return ts.sys
    .readDirectory(join(folder, 'src'), ['.ts'], ['**/*.test.ts'])
    .map((file) => relative(join(folder, 'src'), file).replaceAll('\\', '/').replace(/\.ts$/, ''))
    .filter((path) => path !== 'index' && existsSync(join(folder, 'dist', `${path}.d.ts`)));
}

/** Whether an entry only re-exports declarations of another entry, whose section contains the signatures. */
function isCollection(file: string): boolean {
  return file.includes('/dist/gen/entries/');
}

/** The entry of the same package that declares a symbol. */
function originOf(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const { declarations = [] } = checker.getAliasedSymbol(symbol);
  const files = declarations.map((declaration) => declaration.getSourceFile().fileName);
  const origins = files.map((file) => /\/dist\/(.*)\.d\.ts$/.exec(file)?.[1] ?? file);
  return origins.length > 0
    ? [...new Set(origins)].map((origin) => `${symbol.name}: from ${origin}`)
    : [`${symbol.name}: (not found)`];
}

function linesOf(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const texts = (target.declarations ?? []).map((declaration) => `${symbol.name}: ${signature(declaration)}`);
  return texts.length > 0 ? texts : [`${symbol.name}: (not found)`];
}

const printer = ts.createPrinter({ removeComments: true });

function signature(declaration: ts.Declaration): string {
  // A constant is declared inside a declaration list, which contains the `const` keyword.
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return printer
    .printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile())
    .replace(/\s+/g, ' ')
    .replace(/^(?:export )?(?:declare )?/, '')
    .replace(/;$/, '');
}
