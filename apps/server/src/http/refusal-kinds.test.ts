import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signInRefused } from '../modules/identity/auth-call.ts';
import { refusalKinds } from './refusal-kinds.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../docs/security.md'), 'utf8');

it('every kind of attempt that is recorded stands in the document, with its codes and its place, and no other does', () => {
  const [, table = ''] = text.split('| Kind | Codes | Where |');
  const rows = table.split('\n\n', 1)[0]?.matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \|$/gm) ?? [];
  const documented = Object.fromEntries([...rows].map(([, kind = '', codes, where]) => [kind, { codes, where }]));
  const { [signInRefused.security]: signIn, unrecorded, ...kinds } = documented;
  expect([signIn?.where, unrecorded?.where]).toEqual(['log', 'log']);
  expect(kinds).toEqual(
    Object.fromEntries(
      Object.entries(refusalKinds).map(([kind, { codes, strangers }]) => [
        kind,
        { codes: codes.join(', '), where: strangers ? 'audit, log' : 'audit' },
      ]),
    ),
  );
});
