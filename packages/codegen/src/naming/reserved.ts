/** Words that no declaration of a module may be named. */
const words = [
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false',
  'finally for function if implements import in instanceof interface let new null package private protected public return',
  'static super switch this throw true try typeof var void while with yield undefined',
]
  .join(' ')
  .split(' ');

/**
 * Globals of ECMAScript: a generated file uses some of them by their bare name, and a reader takes each for the
 * language's own. Those of browsers and Node (`Event`, `Request`) are not among them.
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

/** Types of TypeScript that need no import. */
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

/** Whether the language has the name already. */
export function isReserved(name: string): boolean {
  return reserved.has(name);
}

/** The name, with `_` behind it where the language has it already: `Error_`, `Map_`, `delete_`. */
export function avoidReserved(name: string): string {
  return reserved.has(name) ? `${name}_` : name;
}

/** Gives each of its callers a name of its own: `_` is added where one is taken, in the order of asking. */
export class NamesInScope {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** @param also names that come with it, such as that of its table */
  take(wanted: string, also: (name: string) => readonly string[] = () => []): string {
    let name = avoidReserved(wanted);
    while ([name, ...also(name)].some((each) => this.#taken.has(each))) name += '_';
    for (const each of [name, ...also(name)]) this.#taken.add(each);
    return name;
  }
}
