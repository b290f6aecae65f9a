// All notifiers. A new notifier needs one file and one line here.
export { alertmanager } from './alertmanager.js';
export { email } from './email.js';
export { telegram } from './telegram.js';
export { webhooks } from './webhook.js';
