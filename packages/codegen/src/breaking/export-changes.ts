import type { EmittedFile } from '../emit/emitter.js';
import { type InterfaceChange, InterfaceChanges, pairs } from './change.js';

/**
 * Names that generated modules export: code that imports a removed one does not compile. Members of types are compared
 * by the model.
 */
export function exportChanges(old: readonly EmittedFile[], now: readonly EmittedFile[]): InterfaceChange[] {
  const api = new InterfaceChanges('api');
  for (const [path, before, after] of pairs(old, now, (file) => file.path)) {
    const module = path.replace(/\.ts$/, '');
    if (!after) api.breaks('module-removed', module, 'the module is gone');
    else if (!before) api.adds('module-added', module, 'a new module');
    else {
      const [was, is] = [exportsOf(before.text), exportsOf(after.text)];
      for (const name of was.filter((each) => !is.includes(each)))
        api.breaks('export-removed', `${module} ${name}`, 'the export is gone');
      for (const name of is.filter((each) => !was.includes(each)))
        api.adds('export-added', `${module} ${name}`, 'a new export');
    }
  }
  return api.list;
}

function exportsOf(text: string): string[] {
  const names = [...text.matchAll(/^export (?:declare )?(?:const|let|type|interface|function|class|enum) ([\w$]+)/gm)];
  return [...new Set(names.map(([, name = '']) => name))];
}
