/** Close functions, called in reverse order of registration. */
export interface Closers {
  add(close: () => void | Promise<void>): void;
  /** Calls all close functions, regardless of failures; then throws the first failure. */
  close(): Promise<void>;
}

export const createClosers = (): Closers => {
  const closers: (() => void | Promise<void>)[] = [];
  return {
    add(close) {
      closers.unshift(close);
    },
    async close() {
      const failures: unknown[] = [];
      for (const close of closers.splice(0)) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
};
