import { HubError } from '@hubwatch/client';

/** The answer, or `undefined` when the chain says that there is no such record. @throws every other failure */
export const unlessAbsent = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof HubError && error.code === 'not_found') return undefined;
    throw error;
  }
};
