import { CodecError } from '@hubwatch/types/runtime/codec-error';

/** A request that is well but for its way: no path or query of the gateway can hold one of its values. */
export class UncarriedError extends CodecError {}
