export { type Collected, collect } from './collect.js';
export type { Extent } from './extent.js';
export { type OnePage, onePage } from './one-page.js';
export { type ListMethod, type ListRequestOf, type Page, pages, type PagesOptions, type Sweep } from './sweep.js';
