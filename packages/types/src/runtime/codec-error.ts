/** A message cannot be read or written; has the field and the offset in the bytes. */
export class CodecError extends Error {
  override readonly name = 'CodecError';
  /** The problem, without the location. */
  readonly problem: string;
  /** Members from the outermost message to the field, `nodes[3].inactive_at`; empty for the message itself. */
  readonly path: string;
  /** 0-based byte offset in the decoded bytes; `undefined` for JSON and when writing. */
  readonly offset: number | undefined;
  /** Neutral name of the outermost message, once it is known. */
  readonly type: string | undefined;

  constructor(problem: string, path = '', offset?: number, type?: string) {
    const place = [type, path].filter((part) => part !== undefined && part !== '').join('.');
    const at = offset === undefined ? '' : ` at byte ${offset}`;
    super(place === '' && at === '' ? problem : `${place}${at}: ${problem}`);
    this.problem = problem;
    this.path = path;
    this.offset = offset;
    this.type = type;
  }
}

/** The same error with an outer member prepended to its path; other errors are returned unchanged. */
export function within(error: unknown, member: string): unknown {
  if (!(error instanceof CodecError)) return error;
  const path = error.path === '' ? member : `${member}.${error.path}`.replaceAll('.[', '[');
  return new CodecError(error.problem, path, error.offset, error.type);
}

/** The same error with the name of the outermost message. */
export function ofType(error: unknown, type: string): unknown {
  return error instanceof CodecError ? new CodecError(error.problem, error.path, error.offset, type) : error;
}
