import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/parts.js';
import { main } from './main.js';
import { showsColours } from './shows-colours.js';

const run = async (...args: string[]): Promise<{ code: number; out: string; error: string }> => {
  let out = '';
  let error = '';
  const code = await main(args, { out: (text) => (out += text), error: (text) => (error += text) });
  return { code, out, error };
};

const config = (): string => {
  const file = join(temporaryFolder(), 'hubwatch.yml');
  writeFileSync(
    file,
    'endpoints: [{name: own, grpc: "127.0.0.1:1"}, {name: spare, rest: "http://127.0.0.1:2", naming: public}]\n',
  );
  return file;
};

test('doctor: a configured endpoint that does not respond: advice, and exit code 2', async () => {
  const { code, out } = await run('doctor', 'spare', '-c', config());
  expect(code).toBe(2);
  expect(out).toContain('hubwatch doctor: spare\nAddresses from the configuration.\n');
  expect(out).toContain('  REST       http://127.0.0.1:2  no: connection refused\n');
  expect(out).toMatch(/^ {2}1\. Nothing listens at http:\/\/127\.0\.0\.1:2 \(REST\)\. Check whether/m);
});

test('doctor: JSON has the same content', async () => {
  const { code, out } = await run('doctor', '--rest', 'http://127.0.0.1:2', '--naming', 'public', '--json');
  expect(code).toBe(2);
  expect(JSON.parse(out)).toMatchObject({
    ways: { rest: { answers: false, cause: 'refused', error: 'refused' } },
    advice: [{ id: 'port-refused' }],
  });
});

test('doctor: a host alone is tried at the default ports, and the report states that', async () => {
  // A reserved name that never resolves.
  const { out } = await run('doctor', 'hub.invalid', '--naming', 'public', '--timeout', '2s');
  expect(out).toContain('the default ports 9090, 1317 and 26657 are tried');
  expect(out.match(/hub\.invalid:(?:9090|1317|26657) +no: the name does not resolve/g)).toHaveLength(3);
  expect(out).toContain('  1. hub.invalid does not resolve from here.');
  expect(out).not.toContain('  2. ');
});

test('doctor: an endpoint name that the configuration does not contain', async () => {
  const { code, error } = await run('doctor', 'spar', '--config', config());
  expect(code).toBe(2);
  expect(error).toContain('unknown endpoint "spar"; did you mean spare? Allowed: own, spare');
  expect((await run('doctor', '--config', config())).error).toContain(
    'requires the name of an endpoint; allowed: own, spare',
  );
});

test('doctor: Ctrl-C ends it at once while an endpoint does not respond', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const asked = once(silent, 'connection');
  const child = spawn(
    process.execPath,
    [
      ...['--conditions=@hubwatch/source', '--import', 'tsx', join(import.meta.dirname, '../main.ts')],
      ...['doctor', '--rpc', `http://127.0.0.1:${port}`, '--naming', 'public', '--timeout', '1m'],
    ],
    { stdio: 'ignore' },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  await asked;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  expect(await ended).toEqual([null, 'SIGINT']);
});

test('probe: a line for each transport, and exit code 1 if one does not respond', async () => {
  const { code, out } = await run(
    'probe',
    '--rest',
    'http://127.0.0.1:2',
    '--rpc',
    'http://127.0.0.1:2',
    '--naming',
    'public',
  );
  expect(code).toBe(1);
  expect(out.replaceAll(/ms=\d+/g, 'ms=N')).toBe('rest down reason=refused ms=N\nrpc  down reason=refused ms=N\n');
});

test('doctor: colours only in a terminal that shows them', async () => {
  expect(showsColours({ isTTY: true }, {})).toBe(true);
  expect(showsColours({ isTTY: true }, { NO_COLOR: '' })).toBe(true);
  expect(showsColours({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
  expect(showsColours({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
  expect(showsColours({}, {})).toBe(false);
  let out = '';
  const args = ['doctor', '--rest', 'http://127.0.0.1:2', '--naming', 'public'];
  await main(args, { out: (text) => (out += text), error: () => undefined, hasColours: true });
  expect(out).toContain('\u001b[31mno: connection refused\u001b[0m');
});
