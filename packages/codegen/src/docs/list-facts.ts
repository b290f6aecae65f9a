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

/** Facts of the spec about lists. */
export interface ListFacts {
  /** Page size if the request does not set one; absent if the spec does not state it. */
  readonly defaultPage?: number | undefined;
  /** Member of the response that contains the records of a method, by `<service>/<method>`. */
  readonly items: ReadonlyMap<string, string>;
  /** Notes for callers of a method: a defect with its workaround, or special paging. */
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
        ([name, { shows, way_round: way }]) => [name, `Known defect: ${shows}. Workaround: ${way}.`] as const,
      ),
    ]),
  };
}
