/** Completeness of a read of a whole list, known after its end. */
export type Extent =
  /** Every record of one state. `height` is `undefined` for lists that are complete but not read from a state. */
  | { readonly kind: 'complete'; readonly height: bigint | undefined }
  /** There may be more records than were returned. */
  | { readonly kind: 'possibly_truncated'; readonly reason: string }
  /**
   * Pages from several states, so that records may be missing or stale; `undefined` if a page did not report its
   * height.
   */
  | { readonly kind: 'mixed_heights'; readonly from: bigint | undefined; readonly to: bigint | undefined };

/** Collects the heights of pages. */
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

  /** The height of all pages, if it is the same. */
  get only(): bigint | undefined {
    return this.#isUnknown || this.#lowest !== this.#highest ? undefined : this.#lowest;
  }

  mixed(): Extent {
    const known = this.#isUnknown ? [undefined, undefined] : [this.#lowest, this.#highest];
    return { kind: 'mixed_heights', from: known[0], to: known[1] };
  }
}
