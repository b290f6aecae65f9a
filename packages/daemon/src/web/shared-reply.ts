import { turn } from '../turn.js';
import type { Reply } from './server.js';

/** Makes one reply for all requests that come at the same time. */
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
