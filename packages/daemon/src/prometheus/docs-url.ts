import { homepage } from '../version.js';

/** Address of the published docs/ pages; `undefined` if the package does not name its repository. */
export const docsUrl = (page: string | undefined = homepage): string | undefined =>
  page === undefined ? undefined : `${page.replace(/#.*$/, '')}/blob/HEAD/docs`;
