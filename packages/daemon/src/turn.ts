/**
 * Lets the event loop run once, so that pending writes are sent and waiting responses, timers and scrapes are served.
 * Long work in pieces awaits it between them.
 */
export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
