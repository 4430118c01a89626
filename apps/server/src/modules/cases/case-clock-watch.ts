/**
 * Watches the clocks of cases: warns, tells of breaches, lets automation answer them, and writes to the contacts of the
 * escalation while nobody responds.
 *
 * A case is looked at when its `clock_next_at` has come. What is due is noted in `case_sla_notice` in the transaction that
 * tells it, so that each thing is told once whatever number of processes look and wherever one of them dies. What became
 * due long ago (the server was off, the case is history that was imported) is noted without being told.
 */
import type { CaseActivityKind } from '@airdeck/contracts/cases/schema';
import type { ClockTrigger } from '@airdeck/contracts/rule-responses/schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { Mail } from '../mail/mail-port.ts';
import { namingTenant } from '../notifications/dashboard-links.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import type { ClockResponses } from '../rule-responses/rule-responses-port.ts';
import type { Changes } from '../stream/changes.ts';
import { type ClockMoment, clockMoments, earliest } from './case-clock.ts';
import { referenceOf } from './case-view.ts';
import { type CaseRow, insertActivity } from './cases-repository.ts';
import { openedCase } from './opened-case.ts';

export const CLOCK_JOB = { kind: 'cases.clock', expression: '*/30 * * * * *' } as const;

const CASES_PER_ROUND = 100;
const ROUNDS_MAX = 50;
/** What is older is history. */
const TOLD_WITHIN_MS = 24 * 3_600_000;

export type Contact = {
  id: string;
  name: string;
  email: string;
  notify: { case_severities: readonly CaseSeverity[]; channels: readonly string[] };
};

type Dependencies = {
  db: Pick<Database, 'system'>;
  now: () => Date;
  ids: () => string;
  audit: Pick<AuditLog, 'recordAll'>;
  changes: Pick<Changes, 'announce'>;
  notices: Notices;
  responses: ClockResponses;
  mail: Mail;
  /** By tenant, in the order in which they are written to. */
  escalationContacts: (tx: Tx, tenantIds: readonly string[]) => Promise<ReadonlyMap<string, readonly Contact[]>>;
  tenantName: (tx: Tx, scope: TenantScope) => Promise<string>;
  /** Where the dashboard is from outside. */
  address: () => string;
};

export type ClockWatch = {
  /** Looks at all clocks that are due, in short transactions; how many there were. */
  look(): Promise<number>;
};

export function createClockWatch(deps: Dependencies): ClockWatch {
  return {
    async look() {
      let seen = 0;
      for (let round = 0; round < ROUNDS_MAX; round += 1) {
        const found = await deps.db.system((tx) => lookAtSome(deps, tx));
        seen += found;
        if (found < CASES_PER_ROUND) break;
      }
      return seen;
    },
  };
}

async function lookAtSome(deps: Dependencies, tx: Tx): Promise<number> {
  const at = deps.now();
  const rows = await dueCases(tx, at);
  const tenants = [...new Set(rows.map(({ tenant_id }) => tenant_id))].toSorted();
  const contacts = await deps.escalationContacts(tx, tenants);
  // Chains of audit records are locked in ascending order of the tenants, as everybody does.
  for (const tenant of tenants) {
    const records: AuditEntry[] = [];
    for (const row of rows.filter(({ tenant_id }) => tenant_id === tenant)) {
      const asked = (contacts.get(tenant) ?? []).filter((contact) => wantsMail(contact, row.severity));
      const left = await notWrittenTo(tx, row, asked);
      records.push(...(await lookAt(deps, tx, { row, contacts: left, at })));
    }
    if (records.length > 0) await deps.audit.recordAll(tx, records);
  }
  return rows.length;
}

async function dueCases(tx: Tx, at: Date): Promise<CaseRow[]> {
  return await tx
    .selectFrom('case_record')
    .selectAll()
    .where('clock_next_at', '<=', at)
    .orderBy('clock_next_at')
    .limit(CASES_PER_ROUND)
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
}

function wantsMail({ notify }: Contact, severity: CaseSeverity): boolean {
  const byMail = notify.channels.length === 0 || notify.channels.includes('email');
  return byMail && (notify.case_severities.length === 0 || notify.case_severities.includes(severity));
}

/** The contacts are those that were not written to about the case. */
type Look = { row: CaseRow; contacts: readonly Contact[]; at: Date };

async function lookAt(deps: Dependencies, tx: Tx, { row, contacts, at }: Look): Promise<AuditEntry[]> {
  const runs = row.status !== 'closed' && row.waiting_since === null;
  const contactsInAll = row.escalations + contacts.length;
  const moments = runs ? clockMoments(row, contactsInAll) : [];
  const due = await notTold(
    tx,
    row,
    moments.filter((moment) => moment.at <= at),
  );
  const fresh = due.filter((moment) => at.getTime() - moment.at.getTime() < TOLD_WITHIN_MS);
  const isBreach = (part: string) => due.some(({ kind }) => kind === `${part}_breach`);
  // Of what is late by now nobody is warned.
  const told = fresh.filter(({ kind }) => !kind.endsWith('_warning') || !isBreach(kind.replace('_warning', '')));
  const [turn] = contacts;
  // Also of what is history, or the contact would be written to at a later turn.
  if (turn !== undefined && due.some(({ kind }) => kind === 'escalation')) {
    const notice = { tenant_id: row.tenant_id, case_id: row.id, kind: noticeOf(turn), at };
    await tx.insertInto('case_sla_notice').values(notice).execute();
  }
  const records: AuditEntry[] = [];
  for (const moment of told) {
    const { kind } = moment;
    if (kind === 'escalation') {
      records.push(...(await escalate(deps, tx, { row, contacts, at })));
      continue;
    }
    await tellClock(deps, tx, { row, moment, at });
    await letAnswer(deps, tx, { row, trigger: kind });
  }
  // An escalation that is noted makes room for the next contact.
  const escalations = row.escalations + due.filter(({ kind }) => kind === 'escalation').length;
  const ahead = runs ? clockMoments({ ...row, escalations }, contactsInAll) : [];
  // After a long time without looks the next contact is due as well: it gets a round of its own.
  const isNextDue =
    escalations > row.escalations && ahead.some(({ kind, at: due }) => kind === 'escalation' && due <= at);
  const next = isNextDue ? at : earliest(ahead.filter((moment) => moment.at > at));
  const touched = told.length > 0 ? { time_updated: at } : {};
  await tx
    .updateTable('case_record')
    .set({ clock_next_at: next, escalations, ...touched })
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .execute();
  if (told.length > 0) {
    await deps.changes.announce(tx, { tenant: row.tenant_id, kind: 'case', id: row.id, status: row.status });
  }
  return records;
}

/** The directory may change between two mails: who was written to is known by name, not by place. */
async function notWrittenTo(tx: Tx, row: CaseRow, contacts: readonly Contact[]): Promise<readonly Contact[]> {
  if (row.escalations === 0) return contacts;
  const notices = await tx
    .selectFrom('case_sla_notice')
    .select('kind')
    .where('case_id', '=', row.id)
    .where('kind', 'like', 'contact %')
    .execute();
  const written = new Set(notices.map(({ kind }) => kind));
  // Mails of the release before name nobody: for those the place counts, as it did.
  return contacts
    .filter((contact) => !written.has(noticeOf(contact)))
    .slice(Math.max(0, row.escalations - written.size));
}

function noticeOf({ id }: Contact): string {
  return `contact ${id}`;
}

/** Notes what is due and returns what had not been noted yet. */
async function notTold(tx: Tx, row: CaseRow, moments: readonly ClockMoment[]): Promise<ClockMoment[]> {
  if (moments.length === 0) return [];
  const noted = await tx
    .insertInto('case_sla_notice')
    .values(moments.map(({ name, at }) => ({ tenant_id: row.tenant_id, case_id: row.id, kind: name, at })))
    .onConflict((on) => on.columns(['case_id', 'kind']).doNothing())
    .returning('kind')
    .execute();
  const fresh = new Set(noted.map(({ kind }) => kind));
  return moments.filter(({ name }) => fresh.has(name));
}

async function tellClock(
  deps: Dependencies,
  tx: Tx,
  { row, moment, at }: { row: CaseRow; moment: ClockMoment; at: Date },
): Promise<void> {
  const due = moment.kind.startsWith('respond') ? 'respond' : 'resolve';
  const dueAt = (due === 'respond' ? row.respond_by : row.resolve_by) ?? moment.at;
  const kind = moment.kind.endsWith('_breach') ? 'sla_breach' : 'sla_warning';
  const text = clockText(kind, due);
  await tell(deps, tx, { row, at, kind, text, data: { due, due_at: dueAt.toISOString() } });
  const { tenant_id: tenant, name, assignee } = row;
  const facts = { tenant, caseId: row.id, reference: referenceOf(row.number), name };
  await deps.notices.tell(tx, { kind, ...facts, due, dueAt, assignee });
}

/** Only a policy has responses, and one that is gone has none any more. */
async function letAnswer(
  { responses }: Dependencies,
  tx: Tx,
  { row, trigger }: { row: CaseRow; trigger: ClockTrigger },
): Promise<void> {
  if (row.policy_id === null) return;
  const opened = await openedCase(tx, trustedTenantScope(row.tenant_id), row.id);
  if (opened !== undefined) await responses.onCaseTime(tx, opened, trigger);
}

function clockText(kind: 'sla_breach' | 'sla_warning', due: 'respond' | 'resolve'): string {
  const what = due === 'respond' ? 'a response' : 'closing';
  return kind === 'sla_breach' ? `Late for ${what}` : `Soon due for ${what}`;
}

/** Writes to the contact whose turn it is. */
async function escalate(deps: Dependencies, tx: Tx, { row, contacts, at }: Look): Promise<AuditEntry[]> {
  const [contact] = contacts;
  if (contact === undefined) return [];
  const reference = referenceOf(row.number);
  const tenant = await deps.tenantName(tx, trustedTenantScope(row.tenant_id));
  await deps.mail.queue(tx, {
    ...{ to: contact.email, tenant: row.tenant_id },
    write: ({ say, minute }) => ({
      subject: say('{reference} waits for a response: {name}', { reference, name: row.name }).slice(0, 200),
      text: [
        say('{name},', { name: contact.name }),
        '',
        say('nobody has responded to {reference} ({severity}) of {tenant} since {since}.', {
          ...{ reference, severity: say(row.severity), tenant, since: minute(row.time_opened) },
        }),
        ...(row.respond_by === null ? [] : [say('A response was due by {time}.', { time: minute(row.respond_by) })]),
        '',
        row.name.replace(/\s+/g, ' '),
        '',
        `${deps.address().replace(/\/$/, '')}${namingTenant(`/air/case-management/${row.id}`, row.tenant_id)}`,
      ].join('\n'),
    }),
    key: `case-escalation/${row.id}/${row.escalations + 1}`,
  });
  const data = { contact: contact.name, place: row.escalations + 1 };
  await tell(deps, tx, { row, at, kind: 'escalated', text: `Escalated to ${contact.name} by mail`, data });
  return [
    {
      tenant: row.tenant_id,
      actor: { kind: 'system', id: null, name: 'system' },
      action: 'case.escalate',
      target: { kind: 'case', id: row.id },
      outcome: 'ok',
      data: { reference, ...data },
      request_id: null,
    },
  ];
}

type Entry = { row: CaseRow; at: Date; kind: CaseActivityKind; text: string; data: Record<string, unknown> };

async function tell({ ids }: Dependencies, tx: Tx, { row, ...entry }: Entry): Promise<void> {
  const scope = trustedTenantScope(row.tenant_id);
  await insertActivity(tx, scope, [{ id: ids(), caseId: row.id, username: 'system', ...entry }]);
}
