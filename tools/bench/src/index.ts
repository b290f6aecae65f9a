// Every benchmark that `npm run bench` knows. A new one is one file and one line here.
export { start } from './start.js';
export { decode } from './decode.js';
