// Every benchmark that `npm run bench` knows. A new one is one file and one line here.
export { start } from './start.js';
export { decode } from './decode.js';
export { importTypes } from './import-types.js';
export { importRestRpc } from './import-rest-rpc.js';
export { restDecode } from './rest-decode.js';
export { bundleHub } from './bundle-hub.js';
export { bundleQuery } from './bundle-query.js';
export { bundleWatch } from './bundle-watch.js';
export { installSize } from './install-size.js';
export { consumerTypes } from './consumer-types.js';
export { drift } from './drift.js';
export { codegenCold } from './codegen-cold.js';
export { codegenCheck } from './codegen-check.js';
export { sweepClient } from './sweep-client.js';
export { sweepDaemon } from './sweep-daemon.js';
export { steadyLoad } from './steady-load.js';
export { statusPage } from './status-page.js';
