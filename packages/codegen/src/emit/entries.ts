import type { Model } from '../model/model.js';
import { packageOf, serviceObjectName } from '../naming/service-object.js';
import { NamesInScope } from '../naming/reserved.js';
import type { EmittedFile, Emitter } from './emitter.js';
import { SourceFile } from './source-file.js';

/** One module per proto package that exports by name everything generated for it. */
export const entries: Emitter = {
  name: 'entries',
  emit: ({ model }) => [...symbolsByPackage(model)].map(([name, symbols]) => emitEntry(name, symbols)),
};

interface Symbol {
  readonly name: string;
  readonly module: string;
  readonly typeOnly?: true;
}

/** Entries of the `exports` of a package manifest: one pattern for each first word of a proto package. */
export function entryExports(paths: readonly string[]): Readonly<Record<string, string>> {
  const below = paths.flatMap((path) => /^entries\/(.+)\.ts$/.exec(path)?.[1] ?? []);
  const patterns = below.map((path) => path.replace(/\/.*/, '/*')).sort();
  return Object.fromEntries(patterns.map((pattern) => [`./${pattern}`, `gen/entries/${pattern}`]));
}

/** In the order in which they get their names: `_` is appended to a later one with the same name. */
function symbolsByPackage(model: Model): Map<string, Symbol[]> {
  const packages = new Map<string, Symbol[]>();
  const add = (name: string, symbols: readonly Symbol[]): void => {
    // Symbols without a package can be imported from their module.
    if (name !== '' && symbols.length > 0) packages.set(name, [...(packages.get(name) ?? []), ...symbols]);
  };
  for (const { package: name, path, messages, enums } of model.files) {
    const module = `forms/${path}`;
    add(name, [
      ...messages.map(({ local }) => ({ name: local, module })),
      ...enums.flatMap(({ local }) => [local, `${local}Table`].map((each) => ({ name: each, module }))),
    ]);
  }
  for (const { name, path, methods } of model.services) {
    add(packageOf(name), [
      { name: serviceObjectName(name), module: `services/${path}` },
      ...methods.map(({ constant }) => ({ name: constant, module: `methods/${path}` })),
    ]);
  }
  for (const { name, path, msgs } of model.msgServices) {
    add(
      packageOf(name),
      msgs.map(({ constant }) => ({ name: constant, module: `msgs/${path}` })),
    );
  }
  for (const { name, path, typeName, tableName } of model.interfaces) {
    const module = `any/${path}`;
    add(packageOf(name), [
      { name: typeName, module, typeOnly: true },
      { name: tableName, module },
    ]);
  }
  return packages;
}

function emitEntry(name: string, symbols: readonly Symbol[]): EmittedFile {
  const source = new SourceFile(`entries/${name.replaceAll('.', '/')}.ts`);
  const names = new NamesInScope();
  for (const { name: symbol, module, typeOnly } of symbols) {
    source.reExport(symbol, module, { alias: names.take(symbol), ...(typeOnly && { typeOnly }) });
  }
  return { path: source.path, text: source.render() };
}
