/**
 * Lets the event loop go round once: what is to be sent is sent, and answers, timers and scrapes that wait are served. Long
 * work that is done in pieces awaits it between them.
 */
export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
