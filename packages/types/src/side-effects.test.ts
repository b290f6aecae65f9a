import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** Code that a bundler keeps from unused modules if they are not declared free of side effects. */
async function kept(modules: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: modules.map((module) => `import './${module}';`).join('\n'), resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [
      {
        name: 'not-told',
        setup(builder) {
          builder.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => ({
            path: join(resolveDir, path).replace(/\.js$/, '.ts'),
            sideEffects: true,
          }));
        },
      },
    ],
  });
  return (outputFiles[0]?.text ?? '').replace(/^\/\/.*$/gm, '').trim();
}

// Published modules are combined in a few files, so a bundler must be able to drop each of their statements separately.
test('side effects: a bundle keeps nothing from modules that it does not use', async () => {
  const modules = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|^gen.(?:messages|registry\.ts)/.test(file),
  );
  expect(modules.length).toBeGreaterThan(300);
  expect(await kept(modules)).toBe('');
});
