/** What the parent asks of the process with the daemon. Each order gets one answer. */
export type Order =
  | { readonly kind: 'start'; readonly config: string; readonly startMs: number }
  /** Lets the clock run to so many milliseconds after the start. */
  | { readonly kind: 'run'; readonly untilMs: number }
  | { readonly kind: 'measure' }
  | { readonly kind: 'stop' };

export interface Answer {
  readonly failure?: string;
  /** Base URL of the web server, after `start`. */
  readonly url?: string;
  readonly levels?: Levels;
}

/** What the process holds at one moment, after a garbage collection. */
export interface Levels {
  readonly heapBytes: number;
  /** Memory outside the heap that objects of the heap own. */
  readonly bufferBytes: number;
  /** Open file descriptors, sockets included. */
  readonly files: number;
  readonly sockets: number;
  /** Pending timers of the simulated clock. */
  readonly timers: number;
  readonly walBytes: number;
  /** Rows by table of the store. */
  readonly rows: Readonly<Record<string, number>>;
}
