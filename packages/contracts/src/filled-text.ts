/** Names between braces in a text that is written out. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | Placeholders<Rest>
  : never;

/** What a text fills in, by the name of its place. */
export type TextValues = Readonly<Record<string, string | number>>;

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
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    String(Object.hasOwn(values, name) ? values[name] : place),
  );
}
