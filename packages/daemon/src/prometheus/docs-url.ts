import { homepage } from '../version.js';

/** Where the pages of docs/ can be read, if the published package names its repository. */
export const docsUrl = (page: string | undefined = homepage): string | undefined =>
  page === undefined ? undefined : `${page.replace(/#.*$/, '')}/blob/HEAD/docs`;
