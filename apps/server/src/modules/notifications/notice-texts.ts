import type { NotificationKind } from '@airdeck/contracts/notifications/schema';
import { storableText } from '@airdeck/domain/storable-json';
import type { SecurityEvent } from '../identity/auth-call.ts';
import type { Audience, Happening } from './notifications-port.ts';
import type { Question } from './question-links.ts';

const TITLE_MAX = 200;
const TEXT_MAX = 1_000;

export type Notice = {
  tenant: string;
  kind: NotificationKind;
  audience: Audience;
  title: string;
  text: string;
  /** Path in the dashboard. */
  link: string;
  /** What is asked, where something is. */
  asks?: { promptId: string; question: Question };
};

/** What people read. Names come from logs and playbooks: they are cut, and become one line of plain text. */
export function noticeOf(happening: Happening): Notice {
  const { tenant, kind } = happening;
  switch (happening.kind) {
    case 'case_opened':
      return {
        ...{ tenant, kind, audience: { role: 'Analyst' } },
        title: line(`${happening.reference} opened: ${happening.name}`, TITLE_MAX),
        text: `Severity ${happening.severity}.`,
        link: `/air/case-management/${happening.caseId}`,
      };
    case 'case_assigned':
      return {
        ...{ tenant, kind, audience: { usernames: [happening.assignee] } },
        title: line(`${happening.reference} is yours: ${happening.name}`, TITLE_MAX),
        text: line(`${happening.by} assigned this case to you.`, TEXT_MAX),
        link: `/air/case-management/${happening.caseId}`,
      };
    case 'case_mentioned':
      return {
        ...{ tenant, kind, audience: { usernames: happening.usernames } },
        title: line(`${happening.by} mentioned you in ${happening.reference}: ${happening.name}`, TITLE_MAX),
        text: line(happening.comment, TEXT_MAX),
        link: `/air/case-management/${happening.caseId}`,
      };
    case 'sla_warning':
    case 'sla_breach':
      return clockNotice(happening);
    case 'prompt_waiting':
      return {
        ...{ tenant, kind, audience: approversOf(happening.approvers) },
        title: line(`${happening.runName} waits for an answer`, TITLE_MAX),
        text: line(happening.message, TEXT_MAX),
        link: `/activity/playbooks/${happening.runId}?prompt=${happening.promptId}`,
        asks: {
          promptId: happening.promptId,
          question: {
            options: happening.options.map(({ value, label }) => ({ value, label: line(label, TITLE_MAX) })),
            expires_at: happening.expiresAt?.toISOString() ?? null,
          },
        },
      };
    case 'run_failed':
      return {
        ...{ tenant, kind, audience: happening.starter === null ? { role: 'Admin' } : { users: [happening.starter] } },
        title: line(`${happening.runName} failed`, TITLE_MAX),
        text: line(happening.reason, TEXT_MAX),
        link: happening.isPlaybook ? `/activity/playbooks/${happening.runId}` : '/activity/actions',
      };
    case 'connector_down':
      return connectorNotice(happening);
    case 'source_silent':
      return sourceNotice(happening);
    case 'domain_unproved':
      return domainNotice(happening);
    case 'report_ready':
      return {
        ...{ tenant, kind, audience: { users: [happening.user] } },
        title: line(`${happening.name} ${happening.failure === null ? 'is ready' : 'could not be made'}`, TITLE_MAX),
        text: line(happening.failure ?? 'It can be downloaded from the list of reports.', TEXT_MAX),
        link: '/mdr/executive-reports',
      };
  }
}

/** A warning goes to whoever has the case; what is late is everybody's business. */
function clockNotice(happening: Extract<Happening, { kind: 'sla_warning' | 'sla_breach' }>): Notice {
  const { tenant, kind, reference, name, due, dueAt, assignee, caseId } = happening;
  const isLate = kind === 'sla_breach';
  const what = due === 'respond' ? 'a response' : 'closing';
  return {
    ...{ tenant, kind, audience: assignee === null || isLate ? { role: 'Analyst' } : { usernames: [assignee] } },
    title: line(`${reference} ${isLate ? 'is late for' : 'is soon due for'} ${what}: ${name}`, TITLE_MAX),
    text: `Due ${minuteOf(dueAt)} UTC.`,
    link: `/air/case-management/${caseId}`,
  };
}

function connectorNotice(happening: Extract<Happening, { kind: 'connector_down' }>): Notice {
  const { tenant, kind, connectorId, name, since, reason } = happening;
  const from = minuteOf(since);
  return {
    ...{ tenant, kind, audience: { role: 'SystemManager' } },
    title: line(`${name} ${reason === null ? 'works again' : 'is down'}`, TITLE_MAX),
    text: line(reason === null ? `It was down since ${from} UTC.` : `Since ${from} UTC. ${reason}`, TEXT_MAX),
    link: `/integrations/${connectorId}`,
  };
}

function sourceNotice(happening: Extract<Happening, { kind: 'source_silent' }>): Notice {
  const { tenant, kind, connectorId, name, lastEventAt, isHeard } = happening;
  const last = minuteOf(lastEventAt);
  return {
    ...{ tenant, kind, audience: { role: 'SystemManager' } },
    title: line(`${name} ${isHeard ? 'sends events again' : 'sends no events any more'}`, TITLE_MAX),
    text: isHeard ? `It was silent since ${last} UTC.` : `The last one came ${last} UTC.`,
    link: connectorId === null ? '/integrations/sources' : `/integrations/${connectorId}`,
  };
}

/** Of a domain of single sign-on whose record is gone. */
function domainNotice({ tenant, kind, domain, until }: Extract<Happening, { kind: 'domain_unproved' }>): Notice {
  return {
    ...{ tenant, kind, audience: { role: 'Admin' } },
    title: line(
      until === null ? `${domain} is no longer proved` : `The record that proves ${domain} is gone`,
      TITLE_MAX,
    ),
    text:
      until === null
        ? 'Its DNS record was gone for a week. Nobody is sent to single sign-on by it, and nobody joins, until it is proved again.'
        : `Set it again by ${minuteOf(until)} UTC, or single sign-on stops taking addresses of the domain.`,
    link: '/settings/tenant-settings?panel=sign-in',
  };
}

function minuteOf(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T', ' ');
}

/** The rule by which an answer is accepted: named people, or anybody of at least the role, by default an Analyst. */
function approversOf({
  role,
  usernames,
}: {
  role?: Audience['role'];
  usernames?: readonly string[] | undefined;
}): Audience {
  if (usernames === undefined) return { role: role ?? 'Analyst' };
  return role === undefined ? { usernames } : { usernames, role };
}

/** Only what succeeded and what its owner would want to know at once. */
const securityTitles: Partial<Record<SecurityEvent['action'], string>> = {
  'password.reset': 'Your password was reset',
  'password.change': 'Your password was changed',
  'totp.enrol': 'An authenticator app was set up for your account',
  'recovery_codes.regenerate': 'New recovery codes were made for your account',
  'passkey.add': 'A passkey was added to your account',
  'passkey.remove': 'A passkey was removed from your account',
  'external_account.link': 'An external account was linked to yours',
  'external_account.unlink': 'An external account was unlinked from yours',
  'session.reuse_detected': 'A session of yours was used from two places and has been ended',
};

/** Whoever takes an account over could switch notifications off first: these are mailed by the account's own calls. */
const mailedByAccount: ReadonlySet<SecurityEvent['action']> = new Set([
  'password.reset',
  'password.change',
  'totp.enrol',
  'recovery_codes.regenerate',
]);

/** Undefined for what is not worth a word. */
export function securityNotice(
  user: { id: string; home_tenant_id: string },
  event: SecurityEvent,
  isNewDevice: boolean,
): Notice | undefined {
  const isSignIn = event.action === 'session.sign_in';
  const title = isSignIn ? 'A sign-in from a new device or network' : securityTitles[event.action];
  if (title === undefined || (isSignIn && !isNewDevice)) return undefined;
  if (event.outcome !== 'ok' && event.action !== 'session.reuse_detected') return undefined;
  const from = event.from === undefined ? '' : ` It came from ${event.from.clientAddress}.`;
  return {
    tenant: user.home_tenant_id,
    kind: 'account_security',
    audience: {
      ...{ users: [user.id], anywhere: true },
      ...(mailedByAccount.has(event.action) ? { mailed: true as const } : {}),
    },
    title,
    text: line(
      `If this was you, there is nothing to do.${from} If not, change your password and end your other sessions.`,
      TEXT_MAX,
    ),
    link: '/settings/profile',
  };
}

function line(text: string, max: number): string {
  const plain = storableText(text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  return plain.length <= max ? plain : `${plain.slice(0, max - 1).replace(/\p{Surrogate}$/u, '')}…`;
}
