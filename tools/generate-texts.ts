// Brings the catalogues of the dashboard in line with its sources: what is new is added without a translation, which the
// repository check then asks for; what moved keeps its translation; what nothing shows any more goes.
import { writeFileSync } from 'node:fs';
import {
  catalogues,
  checkedFiles,
  wantedTexts,
  writtenTexts,
} from '../apps/dashboard/src/language-check/catalogues.ts';

const written = new Map([...writtenTexts().values()].flatMap((texts) => Object.entries(texts)));
const wanted = wantedTexts(checkedFiles());
for (const name of new Set([...wanted.keys(), ...writtenTexts().keys()])) {
  const texts = [...(wanted.get(name) ?? [])].sort().map((text) => [text, written.get(text) ?? '']);
  writeFileSync(new URL(`${name}.json`, catalogues), `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`);
  const missing = texts.filter(([, translation]) => translation === '').length;
  console.log(`${name.padEnd(12)} ${texts.length} texts${missing === 0 ? '' : `, ${missing} to translate`}`);
}
