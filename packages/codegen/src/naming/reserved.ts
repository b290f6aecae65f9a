/** Words that cannot be the name of a declaration. */
const words = [
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false',
  'finally for function if implements import in instanceof interface let new null package private protected public return',
  'static super switch this throw true try typeof var void while with yield undefined',
]
  .join(' ')
  .split(' ');

/**
 * Globals of ECMAScript: generated files use some of them by their bare name, and readers expect the built-in. Globals
 * of browsers and Node (`Event`, `Request`) are not included.
 */
const globals = [
  'AggregateError Array ArrayBuffer AsyncDisposableStack AsyncIterator Atomics BigInt BigInt64Array BigUint64Array Boolean',
  'DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity',
  'Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect',
  'RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError Temporal TypeError URIError Uint16Array Uint32Array',
  'Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape',
  'globalThis isFinite isNaN parseFloat parseInt unescape',
]
  .join(' ')
  .split(' ');

/** Types of TypeScript that require no import. */
const types = [
  'any bigint boolean never number object string symbol unknown async',
  'Awaited Capitalize ClassDecorator ConstructorParameters Exclude Extract InstanceType Lowercase NoInfer NonNullable Omit',
  'OmitThisParameter Parameters Partial Pick PropertyKey Readonly ReadonlyArray ReadonlyMap ReadonlySet Record Required',
  'ReturnType ThisParameterType ThisType Uncapitalize Uppercase Generator AsyncGenerator Iterable AsyncIterable PromiseLike',
  'ArrayLike IArguments TemplateStringsArray Disposable AsyncDisposable',
]
  .join(' ')
  .split(' ');

const reserved: ReadonlySet<string> = new Set([...words, ...globals, ...types]);

/** Whether the language already uses the name. */
export function isReserved(name: string): boolean {
  return reserved.has(name);
}

/** The name, with `_` appended if the language already uses it: `Error_`, `Map_`, `delete_`. */
export function avoidReserved(name: string): string {
  return reserved.has(name) ? `${name}_` : name;
}

/** Assigns distinct names: `_` is appended if one is taken, in the order of requests. */
export class NamesInScope {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** @param also returns derived names, such as that of its table */
  take(wanted: string, also: (name: string) => readonly string[] = () => []): string {
    let name = avoidReserved(wanted);
    while ([name, ...also(name)].some((each) => this.#taken.has(each))) name += '_';
    for (const each of [name, ...also(name)]) this.#taken.add(each);
    return name;
  }
}
