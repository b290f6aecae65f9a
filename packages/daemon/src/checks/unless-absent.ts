import { HubError } from '@hubwatch/client';

/** Returns the response, or `undefined` if the chain reports that there is no such record. @throws every other failure */
export const unlessAbsent = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof HubError && error.code === 'not_found') return undefined;
    throw error;
  }
};
