import { bytes } from '@hubwatch/types/runtime/small/kinds';
import { readWire } from '@hubwatch/types/runtime/small/read-wire';
import { writeWire } from '@hubwatch/types/runtime/small/write-wire';
import { type SmallOptions, transport } from './transport.js';

export interface SmallAbciCall extends SmallOptions {
  /** Height to answer at; the newest state when absent. */
  readonly height?: bigint;
}

interface Json {
  readonly error?: { readonly message: string; readonly data?: string };
  readonly result: { readonly response: Readonly<Record<'code' | 'log' | 'value' | 'height', unknown>> };
}

/** Queries over `abci_query` of the consensus RPC, as plain GET requests, which browsers send without asking first. */
export const abci = /* @__PURE__ */ transport<'abci', SmallAbciCall>(
  'path',
  readWire,
  ({ path, request }, form, { height = 0n }) => {
    const data = Array.from(request(form, writeWire) as number[], (byte) => byte.toString(16).padStart(2, '0'));
    return `/abci_query?path="${path as string}"&data=0x${data.join('')}&height=${height}`;
  },
  ({ error, result }: Json) => {
    if (error) return [0, 0, error.data ?? error.message];
    const { code, log, value, height } = result.response;
    return [bytes(value, readWire), height, code && log];
  },
);
