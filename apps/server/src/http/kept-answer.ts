/** An answer that is given more than once. It is checked and written as JSON the first time; nobody changes it later. */
export class KeptAnswer<T> {
  readonly #value: T;
  #written: Written | undefined;

  constructor(value: T) {
    this.#value = value;
  }

  written(write: (value: T) => Written): Written {
    this.#written ??= write(this.#value);
    return this.#written;
  }
}

/** A JSON text and its weak tag. */
export type Written = { readonly text: string; readonly tag: string };
