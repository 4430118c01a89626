/**
 * An answer that is given more than once. It is checked and written as JSON the first time, and only the text is kept: the
 * objects would grow old with it, and old objects are what the collector takes long for.
 */
export class KeptAnswer<T> {
  #kept: { readonly value: T } | { readonly written: Written };

  constructor(value: T) {
    this.#kept = { value };
  }

  /** What `write` throws is thrown again the next time. */
  written(write: (value: T) => Written): Written {
    if ('written' in this.#kept) return this.#kept.written;
    const written = write(this.#kept.value);
    this.#kept = { written };
    return written;
  }
}

/** A JSON text and its weak tag. */
export type Written = { readonly text: string; readonly tag: string };
