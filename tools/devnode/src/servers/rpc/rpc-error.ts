/** Error of the consensus RPC. `data` contains the text; the message is derived from the code. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: string | undefined;

  constructor(code: number, data?: string) {
    super(data ?? rpcMessages[code] ?? 'error');
    this.code = code;
    this.data = data;
  }

  toJson(): { code: number; message: string; data?: string } {
    const message = rpcMessages[this.code] ?? 'Server error';
    return this.data === undefined || this.data === ''
      ? { code: this.code, message }
      : { code: this.code, message, data: this.data };
  }
}

export const rpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

const rpcMessages: Readonly<Record<number, string>> = {
  [-32700]: 'Parse error. Invalid JSON',
  [-32600]: 'Invalid Request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
  [-32603]: 'Internal error',
};

/** Error for a handler that ran and failed. */
export function failure(data: string): RpcError {
  return new RpcError(rpcCode.internal, data);
}

/** A handler that panics; the response is HTTP 500 with id -1, independent of the transport. */
export class RpcPanic extends Error {}
