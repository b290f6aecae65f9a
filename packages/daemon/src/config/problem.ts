/** One thing wrong with a configuration file: where, what, and what is allowed. */
export interface Problem {
  /** 1-based; absent where there is no text. */
  readonly line?: number;
  readonly column?: number;
  /** Empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** A problem at a place of the configuration. */
export interface Found {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** `endpoints[0].grpc` */
export const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

/** The configuration cannot be used. `message` lists every problem, one a line, as `file:line:column: path: what`. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[]) {
    super(problems.map((problem) => `${file}:${describe(problem)}`).join('\n'));
    this.problems = problems;
  }
}

const describe = ({ line, column, path, message }: Problem): string =>
  `${line === undefined ? '' : `${line}:${column}:`} ${path === '' ? '' : `${path}: `}${message}`;
