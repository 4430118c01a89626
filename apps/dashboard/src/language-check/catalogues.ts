import { readdirSync, readFileSync } from 'node:fs';
import { catalogueOf, notTexts } from './areas.ts';
import { knownTexts } from './known-texts.ts';
import { type SourceTexts, textsOf } from './source-texts.ts';

const sources = new URL('../', import.meta.url);
export const catalogues = new URL('../language/pt-BR/', import.meta.url);

export type CheckedFile = SourceTexts & {
  readonly path: string;
  readonly source: string;
  readonly showsTexts: boolean;
};

/** Every file of the dashboard with its texts. */
export function checkedFiles(): CheckedFile[] {
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|\.gen\.|fixture|^(language|test-)/.test(path))
    .sort()
    .map((path) => {
      const source = readFileSync(new URL(path, sources), 'utf8');
      const showsTexts = !notTexts.some((start) => path.startsWith(start));
      return { path, source, showsTexts, ...textsOf(path, source) };
    });
}

/** The texts each catalogue has to have: what the sources use and what fixed tables say. */
export function wantedTexts(files: readonly CheckedFile[]): Map<string, Set<string>> {
  const users = new Map<string, string[]>();
  for (const { path, used } of files) for (const { text } of used) users.set(text, [...(users.get(text) ?? []), path]);
  const wanted = new Map<string, Set<string>>();
  const want = (catalogue: string, text: string) =>
    wanted.set(catalogue, (wanted.get(catalogue) ?? new Set()).add(text));
  for (const [text, paths] of users) want(catalogueOf(paths), text);
  const placed = (text: string) => [...wanted.values()].some((texts) => texts.has(text));
  for (const [catalogue, texts] of Object.entries(knownTexts)) {
    for (const text of texts) {
      // What a page before the sign-in may have to say must be there in time, whoever else says it.
      if (catalogue === 'entry') for (const others of wanted.values()) others.delete(text);
      if (catalogue === 'entry' || !placed(text)) want(catalogue, text);
    }
  }
  return wanted;
}

/** What is translated, by catalogue. */
export function writtenTexts(): Map<string, Readonly<Record<string, string>>> {
  return new Map(
    readdirSync(catalogues)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name.slice(0, -'.json'.length), JSON.parse(readFileSync(new URL(name, catalogues), 'utf8'))]),
  );
}

/** Names of what is filled in, and of the elements, of a text. */
export function partsOf(text: string): string[] {
  return [...text.matchAll(/\{\w+\}|<\/?\w+>/g)].map(([part]) => part).sort();
}
