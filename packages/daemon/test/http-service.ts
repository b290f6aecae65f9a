import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ServiceReply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpService {
  readonly url: string;
  readonly requests: readonly ServiceRequest[];
  /** Returns the response to a request; `undefined` sends no response. */
  answer: (request: ServiceRequest) => ServiceReply | undefined;
  close(): Promise<void>;
}

/** A real HTTP server on loopback that records its requests. */
export const startHttpService = async (
  answer: HttpService['answer'] = () => ({ status: 200 }),
): Promise<HttpService> => {
  const requests: ServiceRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(received);
      const reply = service.answer(received);
      if (reply === undefined) request.socket.destroy();
      else response.writeHead(reply.status, reply.headers).end(reply.body ?? '');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const service: HttpService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  onTestFinished(() => service.close());
  return service;
};
