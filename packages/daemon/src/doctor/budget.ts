/** Requests that one look makes at most: to find out everything about a node whose three ways are open takes about 80. */
export const maxRequests = 120;

/** Counts what a look costs the endpoint, and ends it where it would cost more. */
export interface Budget {
  /** @throws Error when nothing is left */
  spend(requests?: number): void;
  spent(): number;
}

export const createBudget = (): Budget => {
  let spent = 0;
  return {
    spend(requests = 1) {
      if (spent + requests > maxRequests) throw new Error(`more than ${maxRequests} requests would be needed`);
      spent += requests;
    },
    spent: () => spent,
  };
};
