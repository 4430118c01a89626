import { spoken, type TextValue, type TextValues, type Told } from '@airdeck/contracts/filled-text';

/** Languages of the dashboard. Texts in the source are English; others come from a catalogue. */
export type Language = 'en' | 'pt-BR';

/** Names between braces in a text that is written out. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

type Values<Text extends string> = [Placeholders<Text>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<Text>, string | number>>];

const loaded: { language: Language; texts: Readonly<Record<string, string>> } = { language: 'en', texts: {} };

/** Adds texts of the page's language; before anything that shows them is there. */
export function addTexts(language: Language, texts: Readonly<Record<string, string>>): void {
  loaded.language = language;
  loaded.texts = { ...loaded.texts, ...texts };
}

/** The language of this page; it changes only with a new page load. */
export function pageLanguage(): Language {
  return loaded.language;
}

/**
 * A text in the page's language. The English one is its key. What follows `##` tells two meanings of one English text
 * apart and is never shown.
 */
export function t<const Text extends string>(text: Text, ...[values]: Values<Text>): string {
  const found = pattern(text);
  return values === undefined ? found : filled(found, values, String);
}

/** A text that came from elsewhere, as a message of the server: translated when the catalogue has exactly it. */
export function known(text: string): string {
  return loaded.texts[text] ?? text;
}

/** A sentence of the server: translated by its reason, and as it came where the catalogue does not have that. */
export function told({ message, reason, values }: Told): string {
  const found = reason === undefined ? undefined : loaded.texts[reason];
  return found === undefined
    ? known(message)
    : filled(found, values ?? {}, (value) => spoken(value, told, loaded.language));
}

/** A text with its placeholders still in it. */
export function pattern(text: string): string {
  return loaded.texts[text] ?? text.split('##', 1)[0] ?? text;
}

function filled(text: string, values: TextValues, say: (value: TextValue) => string): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => say(values[name] ?? ''));
}
