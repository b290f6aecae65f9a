import type { Facts } from '../load/facts.js';

interface Defect {
  readonly shows: string;
  readonly way_round: string;
}

interface ListsFile {
  readonly default_page_size?: { readonly observed?: { readonly value?: number } };
  readonly defects?: Readonly<Record<string, Defect>>;
  readonly own_paging?: Readonly<Record<string, string>>;
  readonly methods?: Readonly<Record<string, Readonly<Record<string, { readonly items: string }>>>>;
}

/** What the spec says of the lists. */
export interface ListFacts {
  /** Records of a page where the request does not say; absent where the spec does not say. */
  readonly defaultPage?: number | undefined;
  /** Member of the answer that holds the records of a method, by `<service>/<method>`. */
  readonly items: ReadonlyMap<string, string>;
  /** What a caller must know of a method: a defect with its way round, or a paging of its own. */
  readonly notes: ReadonlyMap<string, string>;
}

export function listFacts({ lists }: Partial<Facts>): ListFacts {
  const { default_page_size: size, defects = {}, own_paging: own = {}, methods = {} } = (lists ?? {}) as ListsFile;
  const items = Object.entries(methods).flatMap(([service, named]) =>
    Object.entries(named).map(([method, fact]) => [`${service}/${method}`, fact.items] as const),
  );
  return {
    defaultPage: size?.observed?.value,
    items: new Map(items),
    notes: new Map([
      ...Object.entries(own).map(([name, note]) => [name, `Paging: ${note}.`] as const),
      ...Object.entries(defects).map(
        ([name, { shows, way_round: way }]) => [name, `Known defect: ${shows}. Way round: ${way}.`] as const,
      ),
    ]),
  };
}
