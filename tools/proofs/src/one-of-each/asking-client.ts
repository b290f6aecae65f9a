import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AskedOver } from './failure-kinds.js';

export interface Asked {
  readonly over: AskedOver;
  readonly failing: string;
  /** Address of a working endpoint, over the same transport. */
  readonly good: string;
}

/** Error of the client for the first endpoint, and whether the second one answered. */
export interface ClientSaid {
  readonly code: string;
  readonly retryable: boolean;
  readonly text: string;
  /** Whether the pool continued with the second endpoint. */
  readonly wentOn: boolean;
}

/** The packed client in a separate process. It queries the record of a node. */
export interface AskingClient {
  ask(asked: Asked): Promise<ClientSaid>;
  end(): void;
}

interface Waiting {
  readonly resolve: (said: ClientSaid) => void;
  readonly reject: (error: Error) => void;
}

/** @param folder where the client is installed */
export function startAskingClient(folder: string, node: string, timeoutMs: number): AskingClient {
  const module = join(folder, 'asking-client.mjs');
  writeFileSync(module, program(node, timeoutMs));
  const child = spawn(process.execPath, [module], { stdio: ['pipe', 'pipe', 'inherit'], cwd: folder });
  const lines = createInterface({ input: child.stdout });
  const waiting: Waiting[] = [];
  lines.on('line', (line) => waiting.shift()?.resolve(JSON.parse(line) as ClientSaid));
  child.once('exit', (code) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`the client ended with ${String(code)}`));
  });
  return {
    ask: (asked) => asking(child, waiting, asked),
    end: () => void child.kill('SIGKILL'),
  };
}

function asking(child: ChildProcess, waiting: Waiting[], asked: Asked): Promise<ClientSaid> {
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    child.stdin?.write(`${JSON.stringify(asked)}\n`);
  });
}

const program = (node: string, timeoutMs: number): string => `import { createInterface } from 'node:readline';
import { connect, publicNaming } from '@hubwatch/client';
import { EndpointPool } from '@hubwatch/client/pool';
import { queryNode } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
const limits = { timeoutMs: ${timeoutMs} };
// Like the daemon: the first endpoint is asked first, and not_found is final.
const strategy = { order: (seen) => seen.map(({ member }) => member), isFinal: ({ code }) => code === 'not_found' };
for await (const line of createInterface({ input: process.stdin })) {
  const { over, failing, good } = JSON.parse(line);
  const connections = [failing, good].map((address) =>
    connect({ [over === 'abci' ? 'rpc' : over]: address, naming: publicNaming }));
  const members = connections.map((connection, no) => ({ name: no === 0 ? 'failing' : 'good', client: connection[over] }));
  const pool = new EndpointPool(members, { strategy, rounds: 1 });
  let said = { code: 'none', retryable: false, text: 'it answered', wentOn: false };
  let first = true;
  await pool.read(async (client) => {
    const isFirst = first;
    first = false;
    if (!isFirst) said.wentOn = true;
    try {
      const answer = await client.call(queryNode, { address: ${JSON.stringify(node)} }, limits);
      return { value: answer, height: answer.height };
    } catch (error) {
      if (isFirst) said = { ...said, code: error.code ?? String(error), retryable: error.retryable, text: error.message };
      throw error;
    }
  }, { method: 'node', timeoutMs: Infinity }).catch(() => undefined);
  for (const connection of connections) await connection.close();
  console.log(JSON.stringify(said));
}
`;
