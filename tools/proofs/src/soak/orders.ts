/** Requests from the parent to the process with the daemon. Each one gets one response. */
export type Order =
  | { readonly kind: 'start'; readonly config: string; readonly startMs: number }
  /** Runs the clock until this many milliseconds after the start. */
  | { readonly kind: 'run'; readonly untilMs: number }
  | { readonly kind: 'measure' }
  | { readonly kind: 'stop' };

export interface Answer {
  readonly failure?: string;
  /** Base URL of the web server, after `start`. */
  readonly url?: string;
  readonly levels?: Levels;
}

/** Resources of the process at one time, after a garbage collection. */
export interface Levels {
  readonly heapBytes: number;
  /** Memory outside the heap owned by heap objects. */
  readonly bufferBytes: number;
  /** Open file descriptors, sockets included. */
  readonly files: number;
  readonly sockets: number;
  /** Pending timers of the simulated clock. */
  readonly timers: number;
  readonly walBytes: number;
  /** Row counts by table of the store. */
  readonly rows: Readonly<Record<string, number>>;
}
