/** Neutral name of the header that carries the height both ways. */
export const heightHeader = 'x-stack-block-height';

/** Neutral name under which the REST gateway passes the header on in its answers. */
export const answeredHeightHeader = 'grpc-metadata-x-stack-block-height';

/** Height of a header value; `undefined` where it is none. */
export function readHeight(text: string | undefined): bigint | undefined {
  return text !== undefined && /^[0-9]{1,19}$/.test(text) ? BigInt(text) : undefined;
}
