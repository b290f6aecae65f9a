import { shownKey } from './quoted.js';

/** One problem of a configuration file: place, fault and allowed values. */
export interface Problem {
  /** 1-based; absent if there is no text. */
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

/** Maximum number of listed problems; the others are counted. */
export const listed = 100;

/** `endpoints[0].grpc` */
export const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${shownKey(String(step))}`))
    .join('')
    .replace(/^\./, '');

/**
 * The configuration is unusable. `message` lists the problems, one per line, as `file:line:column: path: fault`; beyond
 * a hundred they are counted.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly Problem[];

  constructor(file: string, problems: readonly Problem[]) {
    const more = problems.length - listed;
    super(
      [
        ...problems.slice(0, listed).map((problem) => `${file}:${describe(problem)}`),
        ...(more > 0 ? [`${file}: ${more} more problems`] : []),
      ].join('\n'),
    );
    this.problems = problems;
  }
}

const describe = ({ line, column, path, message }: Problem): string =>
  `${line === undefined ? '' : `${line}:${column}:`} ${path === '' ? '' : `${path}: `}${message}`;
