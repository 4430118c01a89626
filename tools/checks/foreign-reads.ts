import type { SourceFile } from './source-files.ts';
import { isTestCode } from './test-code.ts';

const MODULES = 'apps/server/src/modules/';

/**
 * Tables of other modules that a module's statements read, with why: a join where calls through ports would ask row by row.
 * A change of such a table has to look at these modules.
 */
export const allowedReads: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  activity: {
    playbook_run: 'runs among the records of actions',
  },
  'automation-rules': {
    app_user: 'whose rights it acts with',
    connector: 'name of it, and which have rules',
    event_source: 'whose alerts it takes',
    membership: 'whether the owner may still',
    playbook: 'name of what it starts',
  },
  cases: {
    connector: 'names on the overview',
    policy: 'names, techniques and what is suppressed',
  },
  clerk: {
    app_user: 'who is kept in step',
    invitation: 'the same',
    membership: 'the same',
  },
  connectors: {
    event_source: 'which source it fills',
    source_arrival_hour: 'when something came',
  },
  contract: {
    app_user: 'seats that are taken',
    invitation: 'seats that are promised',
    membership: 'seats that are taken',
    tenant: 'whose contract it is',
  },
  customers: {
    app_user: 'people of the provider',
    invitation: 'who is on the way',
    membership: 'roles at customers',
    tenant: 'the customers',
  },
  dashboards: {
    automation_rule: 'whether the step is done',
    event_source: 'the same',
    policy: 'the same',
    rule_response: 'the same',
    source_event_hour: 'the same',
  },
  'executive-reports': {
    app_user: 'who gets it',
    case_record: 'figures of the period',
    connector: 'names',
    contact: 'who gets it',
    membership: 'who may still get it',
    policy: 'names',
    tenant: 'whose turn it is',
  },
  identity: {
    app_user: 'who signs in',
    membership: 'where to',
    sso_connection: 'by which way',
    sso_membership: 'who came by a connection',
    tenant_settings: 'how long a session lasts',
  },
  ingestion: {
    connector_cursor: 'batches a page still needs',
  },
  invitations: {
    app_user: 'who is there already',
    membership: 'the same',
    tenant: 'names in mails',
  },
  'log-report': {
    connector: 'names',
    event_source: 'names',
    source_arrival_hour: 'volume',
    source_event_hour: 'volume',
    tenant: 'over all customers',
    tenant_settings: 'how long events are kept',
  },
  mail: {
    app_user: 'language of the person',
  },
  marketplace: {
    app_user: 'who is at home there',
  },
  notifications: {
    app_user: 'who is told, and in which language',
    membership: 'who may be told',
    tenant: 'names in notices',
  },
  operations: {
    mail: 'what waits',
    notification_delivery: 'what waits',
    restore_fence: 'whether work is held',
    tenant: 'whose objectives',
  },
  overview: {
    connector: 'state of each customer',
    event_source: 'the same',
    membership: 'which customers one sees',
    source_arrival_hour: 'when something came',
    tenant: 'the customers',
    tenant_settings: 'state of each customer',
  },
  policies: {
    case_record: 'which have open cases',
    membership: 'to whom one may publish',
    tenant: 'names of the customers',
  },
  reports: {
    contact: 'who gets it',
  },
  'rule-responses': {
    app_user: 'whose rights it acts with',
    case_record: 'what came of it',
    case_response: 'the same',
    connector: 'names',
    membership: 'whether the owner may still',
    playbook: 'names',
    playbook_draft: 'names',
    policy: 'names',
  },
  search: {
    app_user: 'who saved it',
  },
  settings: {
    app_user: 'who would be locked out',
    membership: 'the same',
    sso_connection: 'whether one may require it',
    sso_domain: 'the same',
    tenant: 'whose settings',
  },
  sources: {
    connector: 'name and state behind a source',
    connector_outage: 'no second notice of one fault',
    tenant: 'whose sources are watched',
    tenant_settings: 'how long events are kept',
  },
  sso: {
    app_user: 'who came by a connection',
    membership: 'the same',
  },
  tenants: {
    provider_role: 'rights over customers',
  },
  users: {
    app_user: 'the people',
    invitation: 'who is on the way',
    membership: 'their roles',
  },
};

/** Tables of other modules that a module's statements write, with why: else writing belongs to the owner. */
export const allowedWrites: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  activity: {
    playbook_run: 'goes with the runs it names',
  },
  customers: {
    membership: 'roles at customers go with them, and with their people',
  },
  identity: {
    sso_membership: 'who comes by a connection joins, and leaves with it',
  },
};

/** Which module each table belongs to, by the `…-tables.ts` that declares it. */
export function tableOwners(files: readonly SourceFile[]): Map<string, string> {
  const declared = files.filter(({ path }) => path.startsWith(MODULES) && path.endsWith('-tables.ts'));
  return new Map(
    declared.flatMap(({ path, text }) =>
      // In one line, or with a line each.
      [...text.matchAll(/^export type \w+Tables = \{(.*|\n[\s\S]*?^)\};/gm)].flatMap(([, body = '']) =>
        [...body.matchAll(body.startsWith('\n') ? /^ {2}(\w+): /gm : /(\w+): /g)].map(
          ([, table = '']): [string, string] => [table, moduleOf(path)],
        ),
      ),
    ),
  );
}

const builtReads = /\b(?:selectFrom|crossJoin|innerJoin|leftJoin)\(\s*'(\w+)/g;
const builtWrites = /\b(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)/g;
const writtenReads = /(?<!\bdelete\s+)\b(?:from|join|using)\s+(\w+)/g;
const writtenWrites = /\b(?:insert\s+into|update|delete\s+from)\s+(\w+)/g;

export type ForeignUse = { readonly module: string; readonly table: string; readonly path: string };

/** Tables of other modules that a module's statements name, built or written as SQL; a statement may do both. */
export function foreignUses(files: readonly SourceFile[]): { reads: ForeignUse[]; writes: ForeignUse[] } {
  const owners = tableOwners(files);
  const read = files
    .filter(({ path }) => path.startsWith(MODULES) && !isTestCode(path) && !path.endsWith('-migrations.ts'))
    .map(({ path, text }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      const module = moduleOf(path);
      const foreign = (built: RegExp, written: RegExp): ForeignUse[] =>
        [...code.matchAll(built), ...code.replace(/'[^'\n]*'/g, "''").matchAll(written)]
          .map(([, table = '']) => ({ module, table, path }))
          .filter(({ table }) => owners.has(table) && owners.get(table) !== module);
      return { reads: foreign(builtReads, writtenReads), writes: foreign(builtWrites, writtenWrites) };
    });
  return { reads: read.flatMap(({ reads }) => reads), writes: read.flatMap(({ writes }) => writes) };
}

/** Uses that no row allows, each with its file; and rows that nothing uses any more. */
export function unlike(
  uses: readonly ForeignUse[],
  allowed: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string[] {
  const found = uses.filter(({ module, table }) => allowed[module]?.[table] === undefined);
  const rows = Object.entries(allowed).flatMap(([module, tables]) =>
    Object.keys(tables).map((table) => ({ module, table })),
  );
  const unused = rows.filter((row) => !uses.some(({ module, table }) => module === row.module && table === row.table));
  return [
    ...new Set(found.map(({ table, path }) => `${path} names ${table}, which no row allows`)),
    ...unused.map(({ module, table }) => `${module} ${table} is allowed, but not used`),
  ].toSorted();
}

function moduleOf(path: string): string {
  return path.slice(MODULES.length).split('/')[0] ?? '';
}
