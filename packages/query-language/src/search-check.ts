import type { AddressRange } from './ip-address.ts';
import type { TextPart } from './query-tree.ts';
import type { SearchColumn } from './search-columns.ts';

/** A limit of a range; undefined is open. */
export type Edge<T> = { readonly value: T; readonly inclusive: boolean } | undefined;

/** What is asked of one value. Texts and parts are in lower case already, and so must be what they are compared with. */
export type ValueTest =
  | { readonly is: 'equal'; readonly text: string }
  /** Only the compiler makes it, of several `equal` for one field. */
  | { readonly is: 'one-of'; readonly texts: readonly string[] }
  | { readonly is: 'like'; readonly parts: readonly TextPart[] }
  /** A pattern of the linear engine that says itself how it is anchored and that case does not matter. */
  | { readonly is: 'pattern'; readonly pattern: string }
  /** An address within, or the very text. */
  | { readonly is: 'address'; readonly range: AddressRange; readonly text: string | undefined }
  | { readonly is: 'number'; readonly from: Edge<number>; readonly to: Edge<number> }
  | { readonly is: 'between'; readonly from: Edge<string>; readonly to: Edge<string> };

/**
 * What is asked of a longer text: a pattern over its lower case, and whole words every match must hold. `only` is the one
 * word that says the same as the pattern.
 */
export type WordsTest = {
  readonly pattern: string;
  readonly words: readonly string[];
  readonly only: string | undefined;
};

export type ValueTarget =
  | { readonly kind: 'column'; readonly column: SearchColumn }
  | { readonly kind: 'path'; readonly path: readonly string[] };

/** A query whose every term knows what it is compared with: the one reading that store and live tail share. */
export type Check =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Check[] }
  | { readonly kind: 'not'; readonly part: Check }
  | { readonly kind: 'present'; readonly target: ValueTarget }
  | { readonly kind: 'value'; readonly target: ValueTarget; readonly test: ValueTest }
  | { readonly kind: 'words'; readonly columns: readonly WordColumn[]; readonly test: WordsTest }
  | { readonly kind: 'pattern'; readonly columns: readonly WordColumn[]; readonly pattern: string }
  /** Milliseconds since the epoch: from included, until not. */
  | {
      readonly kind: 'time';
      readonly column: TimeColumn;
      readonly from: number | undefined;
      readonly until: number | undefined;
    };

export type WordColumn = 'message' | 'raw';
export type TimeColumn = 'time' | 'received_at';
