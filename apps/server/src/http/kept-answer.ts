const SHARED_FROM_CHARS = 65_536;

/**
 * An answer that is given more than once. It is checked and written as JSON the first time, and only the text is kept: the
 * objects would grow old with it, and old objects are what the collector takes long for. Of a long one the bytes: all who
 * have not read it yet share them, where each would hold a copy of a text.
 */
export class KeptAnswer<T> {
  #kept: { readonly value: T } | { readonly written: Written };

  constructor(value: T) {
    this.#kept = { value };
  }

  /** What `write` throws is thrown again the next time. */
  written(write: (value: T) => { text: string; tag: string }): Written {
    if ('written' in this.#kept) return this.#kept.written;
    const { text, tag } = write(this.#kept.value);
    const written = { text: text.length < SHARED_FROM_CHARS ? text : Buffer.from(text), tag };
    this.#kept = { written };
    return written;
  }
}

/** A JSON text, or its bytes in UTF-8, and its weak tag. */
export type Written = { readonly text: string | Buffer; readonly tag: string };
