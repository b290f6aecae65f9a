import { createGunzip, createInflate } from 'node:zlib';
import type { HeldBytes } from '../answer-budget.js';
import type { MessageFault } from './message-reader.js';

/** Decompresses a message chunk by chunk, so that one over the limit is aborted before it is complete. */
export function unpack(
  packed: Buffer,
  encoding: string,
  maxBytes: number,
  held: HeldBytes,
): Promise<Buffer | MessageFault> {
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    return Promise.resolve({ code: 'decode', text: `a message is packed with ${JSON.stringify(encoding)}` });
  }
  return new Promise((resolve) => {
    const stream = encoding === 'gzip' ? createGunzip() : createInflate();
    const parts: Buffer[] = [];
    let length = 0;
    const end = (outcome: Buffer | MessageFault): void => {
      resolve(outcome);
      parts.length = 0;
      stream.destroy();
    };
    stream.on('data', (part: Buffer) => {
      length += part.length;
      const reason = length > maxBytes ? `larger than the limit of ${maxBytes} bytes` : held.add(part.length);
      if (reason === undefined) parts.push(part);
      else end({ code: 'limit', text: `the answer is ${reason}` });
    });
    stream.on('end', () => end(Buffer.concat(parts, length)));
    stream.on('error', (error) => end({ code: 'decode', text: error.message }));
    stream.end(packed);
  });
}
