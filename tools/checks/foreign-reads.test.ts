import { describe, expect, it } from 'vitest';
import { allowedReads, allowedWrites, foreignUses, tableOwners, unlike } from './foreign-reads.ts';
import { listFiles } from './source-files.ts';

const files = listFiles(/^apps\/server\/src\/modules\/.*\.ts$/);

describe('tables of other modules', () => {
  it('are found in statements that are built or written, and not in comments, tests and migrations', () => {
    const at = (path: string, text: string) => ({ path: `apps/server/src/modules/${path}`, text });
    const made = [
      at('cases/cases-tables.ts', 'export type CasesTables = {\n  case_record: {\n    id: string;\n  };\n};\n'),
      at('mail/mail-tables.ts', 'export type MailTables = { mail: MailTable; mail_end: MailEndTable };\n'),
      at('cases/cases-repository.ts', "tx.selectFrom('case_record').innerJoin('mail as m', 'm.id', 'x')"),
      at('mail/mail-repository.ts', '// from case_record\nsql`select 1 from mail join case_record c on true`'),
      at('mail/mail-end.ts', "tx.deleteFrom('case_record'); sql`update case_record set a = 1 from mail`"),
      at('mail/mail-migrations.ts', 'sql`delete from case_record`'),
      at('mail/mail.test.ts', "tx.selectFrom('case_record')"),
      at('users/users-service.ts', "import { mail } from 'mail';\nconst text = 'A word from mail';"),
    ];
    expect([...tableOwners(made).keys()]).toEqual(['case_record', 'mail', 'mail_end']);
    const { reads, writes } = foreignUses(made);
    const said = (uses: typeof reads) => uses.map(({ module, table }) => `${module} ${table}`);
    expect(said(reads)).toEqual(['cases mail', 'mail case_record']);
    expect(said(writes)).toEqual(['mail case_record', 'mail case_record']);
    expect(unlike(reads, { cases: { mail: 'why' }, users: { mail: 'why' } })).toEqual([
      'apps/server/src/modules/mail/mail-repository.ts names case_record, which no row allows',
      'users mail is allowed, but not used',
    ]);
  });

  it('know their owners', () => {
    const owned = new Set(tableOwners(files).values());
    const declaring = files.flatMap(({ path }) => /modules\/([^/]+)\/[^/]+-tables\.ts$/.exec(path)?.[1] ?? []);
    expect(declaring.filter((module) => !owned.has(module))).toEqual([]);
  });

  it('are named where the table says why, so that their owner knows who reads them', () => {
    expect(unlike(foreignUses(files).reads, allowedReads)).toEqual([]);
  });

  it('are written by others only where the table says why', () => {
    expect(unlike(foreignUses(files).writes, allowedWrites)).toEqual([]);
  });
});
