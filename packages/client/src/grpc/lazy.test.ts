import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Runs a module in a Node that has everything but grpc-js. */
const withoutGrpc = (program: string): Promise<{ readonly out: string; readonly error: string }> => {
  const hook = `export const resolve = (name, context, next) => {
    if (name === '@grpc/grpc-js') throw Object.assign(new Error("Cannot find package '@grpc/grpc-js'"), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  }`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`;
  const args = [
    '--conditions=@hubwatch/source',
    '--import',
    'tsx',
    '--import',
    `data:text/javascript,${encodeURIComponent(register)}`,
  ];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...args, '--input-type=module', '--eval', program],
      { cwd: import.meta.dirname },
      (_error, out, error) => resolve({ out, error }),
    );
  });
};

test.each([
  ['createGrpcTransport', "grpc.createGrpcTransport({ address: '127.0.0.1:1' }).call(method, {})"],
  ['listServices', "grpc.listServices({ address: '127.0.0.1:1' })"],
])('grpc entry: without @grpc/grpc-js %s says what to install', async (_name, call) => {
  const entry = pathToFileURL(join(import.meta.dirname, 'index.ts')).href;
  const { out, error } = await withoutGrpc(`
    const grpc = await import(${JSON.stringify(entry)});
    const { queryParams: method } = await import('@hubwatch/types/gen/methods/hub/node/v3/query-service');
    await ${call}.catch((error) => console.log(error.name, error.code, error.message));`);
  expect(error).toBe('');
  expect(out).toContain(
    'HubError invalid_argument grpc at 127.0.0.1:1: the package @grpc/grpc-js cannot be loaded; install it',
  );
});
