/** Names between braces in a text that is written out. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | Placeholders<Rest>
  : never;

export type PlainValues = Readonly<Record<string, string | number>>;

/** Words that stand in a sentence and are translated like it, as one of a list: they fill in nothing told themselves. */
export type ToldPart = {
  /** What the words are about, as `inputs.ip`; stands before them in every language. Empty: the whole. */
  readonly path?: string | undefined;
  readonly message: string;
  readonly reason?: string | undefined;
  readonly values?: PlainValues | undefined;
};

export type TextValue = string | number | readonly ToldPart[];

/** What a text fills in, by the name of its place. */
export type TextValues = Readonly<Record<string, TextValue>>;

/**
 * A sentence for a person, and which one it is: `reason` never changes, and with `values` it is what other languages are
 * made of. What has no reason is only there in English.
 */
export type Told = {
  readonly message: string;
  readonly reason?: string | undefined;
  readonly values?: TextValues | undefined;
};

/** The text with its places filled in, in its language; one without a value stays as it is written. */
export function filledText(text: string, values: TextValues, language = 'en'): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? place : spoken(value, ({ message }) => message, language);
  });
}

/**
 * A value as it stands in a sentence; `tell` puts words that are translated into the reader's language. A number is one of
 * things: what only looks like one, as a port, is a text.
 */
export function spoken(value: TextValue, tell: (part: ToldPart) => string, language: string): string {
  if (typeof value === 'number') return value.toLocaleString(language, { maximumFractionDigits: 20 });
  if (typeof value === 'string') return value;
  const parts = value.map((part) => (part.path ? `${part.path}: ${tell(part)}` : tell(part)));
  // What is a whole sentence in one language is a few words in another.
  return parts.map((part, index) => `${separator(parts[index - 1])}${part}`).join('');
}

function separator(before: string | undefined): string {
  if (before === undefined) return '';
  return /[.!?]$/.test(before) ? ' ' : ', ';
}
