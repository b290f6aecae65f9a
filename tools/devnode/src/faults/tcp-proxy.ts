import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Committed, Target } from './target.js';
import { FaultyWriter } from './faulty-writer.js';
import type { FaultPlan } from './fault.js';

/** Forwards bytes unchanged. The fault is chosen when a connection opens. */
export function tcpProxy(target: Target, plan: FaultPlan, committed: Committed): Server {
  return createServer((client: Socket) => {
    const fault = plan.connection?.();
    if (fault !== undefined) committed(fault);
    const node = connect(target.port, target.host);
    let gone = false;
    const writer = new FaultyWriter(client, fault, () => {
      gone = true;
      node.destroy();
    });
    node.on('data', (bytes) => void writer.write(bytes));
    node.on('end', () => {
      if (!gone) writer.end();
    });
    client.on('data', (bytes) => {
      if (!gone) node.write(bytes);
    });
    client.on('close', () => node.destroy());
    node.on('close', () => {
      if (!gone && fault?.kind !== 'black-hole') writer.end();
    });
    client.on('error', () => node.destroy());
    node.on('error', () => {
      if (!gone) client.destroy();
    });
  });
}
