import { type AppQuery, RequestError } from '../../chain/app-query.js';
import { QueryError } from '../../chain/query-error.js';
import type { Header } from '../http/message.js';
import { timeoutMs } from './timeout.js';
import { type GrpcAnswer, type GrpcCall, grpcCode, refusal } from './message.js';

const int64Pattern = /^[+-]?\d+$/;

/** Reads the height from a request's metadata; it applies only if the header occurs exactly once. */
function askedHeight(values: readonly string[], header: string): { height: bigint } | { error: string } {
  const [value] = values;
  if (value === undefined || values.length > 1) return { height: 0n };
  const refused = (why: string): { error: string } => ({
    error:
      `codespace sdk code 18: invalid request: Baseapp.RegisterGRPCServer: invalid height header "${header}": ` +
      `strconv.ParseInt: parsing ${JSON.stringify(value)}: ${why}`,
  });
  if (!int64Pattern.test(value)) return refused('invalid syntax');
  const height = BigInt(value.replace(/^\+/, ''));
  return height === BigInt.asIntN(64, height) ? { height } : refused('value out of range');
}

/** Handles unary calls with the application. `heightHeader` is the metadata key of the height on the wire. */
export function appHandler(query: AppQuery, heightHeader: string): (call: GrpcCall) => GrpcAnswer {
  return ({ path, metadata, message }) => {
    const values = (name: string): string[] => metadata.filter(([key]) => key === name).map(([, value]) => value);
    const routed = query.route(path);
    if (routed.kind === 'unknown') return refusal(grpcCode.unimplemented, routed.message);
    const [timeout] = values('grpc-timeout');
    if (timeout !== undefined && timeoutMs(timeout) < 0.01) {
      return refusal(grpcCode.deadlineExceeded, 'context deadline exceeded');
    }
    const asked = askedHeight(values(heightHeader), heightHeader);
    if ('error' in asked) return refusal(grpcCode.unknown, asked.error);
    const chosen = query.chooseHeight(asked.height);
    if ('refused' in chosen) {
      const { code, detail } = chosen.refused;
      const base = code === 26 ? 'invalid height' : 'invalid request';
      return refusal(grpcCode.unknown, `codespace sdk code ${code}: ${base}: ${detail}`);
    }
    const height: Header[] = [[heightHeader, String(chosen.height)]];
    try {
      const body = query.call(routed, message, chosen.height);
      return { code: 0, message: '', metadata: height, body, trailersOnly: false };
    } catch (error) {
      if (error instanceof RequestError) {
        return refusal(grpcCode.internal, `grpc: error unmarshalling request: ${error.message}`);
      }
      if (!(error instanceof QueryError)) throw error;
      return { code: error.code, message: error.message, metadata: height, body: undefined, trailersOnly: false };
    }
  };
}
