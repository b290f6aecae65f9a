/** Error of a query handler: a gRPC code and its text. */
export class QueryError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function invalidAddress(input: string): QueryError {
  return new QueryError(3, `invalid address ${input}`);
}

export function notFound(message: string): QueryError {
  return new QueryError(5, message);
}
