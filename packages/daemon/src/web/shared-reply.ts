import { turn } from '../turn.js';
import type { Reply } from './server.js';

/** Creates one reply for all concurrent requests. */
export const sharedReply = (make: () => Reply | Promise<Reply>): (() => Promise<Reply>) => {
  let current: Promise<Reply> | undefined;
  const made = async (): Promise<Reply> => {
    try {
      return await make();
    } finally {
      void turn().then(() => {
        current = undefined;
      });
    }
  };
  return () => (current ??= made());
};
