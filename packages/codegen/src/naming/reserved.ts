/** Words that no declaration of a module may be named. */
const words = [
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false',
  'finally for function if implements import in instanceof interface let new null package private protected public return',
  'static super switch this throw true try typeof var void while with yield undefined',
]
  .join(' ')
  .split(' ');

/** Types of the language and of the library that generated files use by their bare name. */
const types = [
  'any bigint boolean never number object string symbol unknown async',
  'Array Map Object Promise Readonly ReadonlyMap Record Set Uint8Array',
]
  .join(' ')
  .split(' ');

const reserved: ReadonlySet<string> = new Set([...words, ...types]);

/** The name, with `_` behind it where the language has it already. */
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

/** Members that every object has, so that a form without them would seem to hold them. */
export function isMemberOfEveryObject(name: string): boolean {
  return name in {};
}
