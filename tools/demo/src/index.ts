export { type DemoOptions, runDemo } from './demo.js';
export { demoConfig } from './demo-config.js';
export { type Mailbox, startMailbox, subjectOf } from './mailbox.js';
export { type IncomingMail, type MailReceiver, receiveMails } from './mail-receiver.js';
