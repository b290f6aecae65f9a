import { readSecret, type SecretSource } from '../config/secret.js';
import { DeliveryError } from '../outbox/delivery-error.js';

/** Reads a secret of the configuration. @throws DeliveryError if its file cannot be read or its variable is not set */
export const secretOf = (source: SecretSource): string | undefined => {
  try {
    return readSecret(source);
  } catch (cause) {
    throw new DeliveryError((cause as Error).message, { reason: 'config', scope: 'channel', cause });
  }
};
