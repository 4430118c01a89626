import { expect, it } from 'vitest';
import { listFiles } from './source-files.ts';
import { isTestCode } from './test-code.ts';

/** Who writes lines somewhere, and where; the inventory in docs/security.md names the same places. */
const writers: Readonly<Record<string, string>> = {
  'apps/server/src/entry/main.ts': 'the log of the process, on standard output; what keeps it from starting',
  'apps/server/src/entry/backup.ts': 'a command, on the terminal of who runs it',
  'apps/server/src/entry/backup/operator-output.ts': 'the same',
  'apps/server/src/entry/backup/packed-file.ts': 'files of a backup',
  'apps/server/src/entry/migrate.ts': 'the same',
  'apps/server/src/entry/restore.ts': 'a command, on the terminal of who runs it',
  'apps/server/src/entry/rotate-keys.ts': 'the same',
};
const WRITES =
  /\bconsole\.(log|error|warn|info|debug)\(|\bpino\(|\bpino\.(destination|transport|multistream)\b|process\.std(out|err)\b|\bcreateWriteStream\(|\bappendFile(Sync)?\(/;

it('the server writes lines to the places of the inventory of logs and to no other', () => {
  const files = listFiles(/^(apps\/server\/src|packages\/[^/]+\/src)\/.*\.ts$/).filter(({ path }) => !isTestCode(path));
  const found = files.filter(({ text }) => WRITES.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')));
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(writers).sort());
  const [main] = files.filter(({ path }) => path === 'apps/server/src/entry/main.ts');
  expect(main?.text.match(/pino\.destination\([^)]*\)/g)).toEqual(['pino.destination({ fd: 1, sync: true })']);
  const [{ text } = { text: '' }] = listFiles(/^docs\/security\.md$/);
  expect(text).toMatch(/^\| log of the process \|.*\| JSON lines on standard output;/m);
});
