/** Names between braces in a text that is written out. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | Placeholders<Rest>
  : never;

export type PlainValues = Readonly<Record<string, string | number>>;

/** Words that stand in a sentence and are translated like it, as one of a list: they fill in nothing told themselves. */
export type ToldPart = {
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

/** The text with its places filled in; one without a value stays as it is written. */
export function filledText(text: string, values: TextValues): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? place : spoken(value, ({ message }) => message);
  });
}

/** A value as it stands in a sentence; `tell` puts words that are translated into the reader's language. */
export function spoken(value: TextValue, tell: (part: ToldPart) => string): string {
  return typeof value === 'object' ? value.map(tell).join(', ') : String(value);
}
