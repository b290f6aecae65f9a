/** What a read of a whole list can say of itself once it is over. */
export type Extent =
  /** Every record of one state; `height` is `undefined` for lists that are not read from a state, and are whole all the same. */
  | { readonly kind: 'complete'; readonly height: bigint | undefined }
  /** There may be more records than were given. */
  | { readonly kind: 'possibly_truncated'; readonly reason: string }
  /** Pages of several states, so that records may be missing or stale; `undefined` where a page did not tell its height. */
  | { readonly kind: 'mixed_heights'; readonly from: bigint | undefined; readonly to: bigint | undefined };

/** Keeps the heights of pages. */
export class HeightSpan {
  #lowest: bigint | undefined;
  #highest: bigint | undefined;
  #isUnknown = false;

  add(height: bigint | undefined): void {
    if (height === undefined) this.#isUnknown = true;
    else {
      if (this.#lowest === undefined || height < this.#lowest) this.#lowest = height;
      if (this.#highest === undefined || height > this.#highest) this.#highest = height;
    }
  }

  /** The one height of all pages. */
  get only(): bigint | undefined {
    return this.#isUnknown || this.#lowest !== this.#highest ? undefined : this.#lowest;
  }

  mixed(): Extent {
    const known = this.#isUnknown ? [undefined, undefined] : [this.#lowest, this.#highest];
    return { kind: 'mixed_heights', from: known[0], to: known[1] };
  }
}
