import type { NotificationKind } from '@airdeck/contracts/notifications/schema';
import type { ObjectiveId } from '@airdeck/contracts/operations/objectives';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { storableText } from '@airdeck/domain/storable-json';
import type { SecurityEvent } from '../identity/auth-call.ts';
import { type MailReader, unknownReader, type Words, wordLocales, wordsFor } from '../mail/mail-words.ts';
import type { Audience, Happening } from './notifications-port.ts';
import type { Question } from './question-links.ts';

const TITLE_MAX = 200;
const TEXT_MAX = 1_000;
/** Leaves room for what is said of it. */
const LOOPING_NAME_MAX = 170;

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

/** What is told, in the words of any language; undefined for what is not worth a word. */
export type NoticeIn = (words: Words) => Notice | undefined;
/** Title and text of a notice by locale, for readers of other languages than English. */
export type Said = Readonly<Record<string, Pick<Notice, 'title' | 'text'>>>;

/** A notice in English, in every other language there are words in, and the times it tells. */
export function toldOf(noticeIn: NoticeIn): { notice: Notice; said: Said; times: readonly Date[] } | undefined {
  const times: Date[] = [];
  const words = wordsFor(unknownReader);
  const notice = noticeIn({
    ...words,
    minute(time) {
      times.push(time);
      return words.minute(time);
    },
  });
  if (notice === undefined) return undefined;
  const others = wordLocales.filter((locale) => locale !== unknownReader.locale);
  const said = others.flatMap((locale) => {
    const other = noticeIn(wordsFor({ locale, timeZone: '' }));
    return other === undefined ? [] : [[locale, { title: other.title, text: other.text }]];
  });
  return { notice, said: Object.fromEntries(said), times };
}

/** The text of a notice, which has its times in UTC, for a reader in another zone. */
export function inZone(text: string, times: readonly Date[], reader: MailReader): string {
  const unzoned = wordsFor({ ...reader, timeZone: '' });
  const zoned = wordsFor(reader);
  const moved = times.reduce((so, time) => so.replaceAll(unzoned.minute(time), () => zoned.minute(time)), text);
  return line(moved, TEXT_MAX);
}

/**
 * What people read, in the words of one language. Names come from logs and playbooks: they are cut, and become one line of
 * plain text.
 */
export function noticeOf(happening: Happening, words: Words): Notice {
  const { tenant, kind } = happening;
  const { say, told } = words;
  switch (happening.kind) {
    case 'case_opened':
      return {
        ...{ tenant, kind, audience: { role: 'Analyst' } },
        title: line(
          say('{reference} opened: {name}', { reference: happening.reference, name: happening.name }),
          TITLE_MAX,
        ),
        text: say('Severity {severity}.', { severity: say(happening.severity) }),
        link: `/air/case-management/${happening.caseId}`,
      };
    case 'case_assigned':
      return {
        ...{ tenant, kind, audience: { usernames: [happening.assignee] } },
        title: line(
          say('{reference} is yours: {name}', { reference: happening.reference, name: happening.name }),
          TITLE_MAX,
        ),
        text: line(say('{by} assigned this case to you.', { by: happening.by }), TEXT_MAX),
        link: `/air/case-management/${happening.caseId}`,
      };
    case 'case_mentioned':
      return {
        ...{ tenant, kind, audience: { usernames: happening.usernames } },
        title: line(
          say('{by} mentioned you in {reference}: {name}', {
            ...{ by: happening.by, reference: happening.reference, name: happening.name },
          }),
          TITLE_MAX,
        ),
        text: line(happening.comment, TEXT_MAX),
        link: `/air/case-management/${happening.caseId}`,
      };
    case 'sla_warning':
    case 'sla_breach':
      return clockNotice(happening, words);
    case 'prompt_waiting':
      return {
        ...{ tenant, kind, audience: approversOf(happening) },
        title: line(say('{name} waits for an answer', { name: happening.runName }), TITLE_MAX),
        text: line(happening.message, TEXT_MAX),
        link: `/activity/playbooks/${happening.runId}?prompt=${happening.promptId}`,
        asks: {
          promptId: happening.promptId,
          question: {
            options: happening.options.map(({ value, label, style }) => ({
              ...{ value, label: line(label, TITLE_MAX) },
              ...(style === 'danger' ? { danger: true } : {}),
            })),
            expires_at: happening.expiresAt?.toISOString() ?? null,
          },
        },
      };
    case 'run_failed':
      return {
        ...{ tenant, kind, audience: happening.starter === null ? { role: 'Admin' } : { users: [happening.starter] } },
        title: line(say('{name} failed', { name: happening.runName }), TITLE_MAX),
        text: line(told(happening.reason), TEXT_MAX),
        link: happening.isPlaybook ? `/activity/playbooks/${happening.runId}` : '/activity/actions',
      };
    case 'automation_stopped':
      return stopNotice(happening, words);
    case 'connector_down':
      return connectorNotice(happening, words);
    case 'source_silent':
      return sourceNotice(happening, words);
    case 'domain_unproved':
      return domainNotice(happening, words);
    case 'objective_missed':
      return objectiveNotice(happening, words);
    case 'work_stalled':
      return stalledNotice(happening, words);
    case 'report_ready':
      return {
        ...{ tenant, kind, audience: happening.user === null ? { role: 'Admin' } : { users: [happening.user] } },
        title: line(
          happening.failure === null
            ? say('{name} is ready', { name: happening.name })
            : say('{name} could not be made', { name: happening.name }),
          TITLE_MAX,
        ),
        text: line(
          happening.failure === null ? say('It can be downloaded from the list of reports.') : told(happening.failure),
          TEXT_MAX,
        ),
        link: '/mdr/executive-reports',
      };
  }
}

/** A warning goes to whoever has the case; what is late is everybody's business. */
function clockNotice(
  happening: Extract<Happening, { kind: 'sla_warning' | 'sla_breach' }>,
  { say, minute }: Words,
): Notice {
  const { tenant, kind, reference, name, due, dueAt, assignee, caseId } = happening;
  const isLate = kind === 'sla_breach';
  const named = { reference, name };
  const late =
    due === 'respond'
      ? say('{reference} is late for a response: {name}', named)
      : say('{reference} is late for closing: {name}', named);
  const soon =
    due === 'respond'
      ? say('{reference} is soon due for a response: {name}', named)
      : say('{reference} is soon due for closing: {name}', named);
  return {
    ...{ tenant, kind, audience: assignee === null || isLate ? { role: 'Analyst' } : { usernames: [assignee] } },
    title: line(isLate ? late : soon, TITLE_MAX),
    text: say('Due {time}.', { time: minute(dueAt) }),
    link: `/air/case-management/${caseId}`,
  };
}

/** Of a policy or rule whose automation may be making what it answers. */
function stopNotice(happening: Extract<Happening, { kind: 'automation_stopped' }>, { say, minute }: Words): Notice {
  const { tenant, kind, source, responseName, answers, until } = happening;
  const isPolicy = source.kind === 'policy';
  const minutes = serverLimits.automationWindowS / 60;
  const facts = { answers, minutes, until: minute(until), response: responseName };
  return {
    ...{ tenant, kind, audience: { role: 'Analyst' } },
    title: line(say('{name}: automation loop stopped', { name: line(source.name, LOOPING_NAME_MAX) }), TITLE_MAX),
    text: line(
      isPolicy
        ? say(
            'It answered {answers} cases within {minutes} minutes and starts nothing until {until}. If {response} makes the very events that start it, switch it off or give it a condition.',
            facts,
          )
        : say(
            'It answered {answers} alerts within {minutes} minutes and starts nothing until {until}. If {response} makes the very alerts that start it, switch it off or give it a condition.',
            facts,
          ),
      TEXT_MAX,
    ),
    link: isPolicy
      ? `/air/automation-settings/${source.id}/${encodeURIComponent(responseName)}`
      : `/graylog/automation-settings/edit/${source.id}`,
  };
}

function connectorNotice(happening: Extract<Happening, { kind: 'connector_down' }>, { say, minute }: Words): Notice {
  const { tenant, kind, connectorId, name, since, reason } = happening;
  const from = minute(since);
  return {
    ...{ tenant, kind, audience: { role: 'SystemManager' } },
    title: line(reason === null ? say('{name} works again', { name }) : say('{name} is down', { name }), TITLE_MAX),
    text: line(
      reason === null ? say('It was down since {from}.', { from }) : say('Since {from}. {reason}', { from, reason }),
      TEXT_MAX,
    ),
    link: `/integrations/${connectorId}`,
  };
}

function sourceNotice(happening: Extract<Happening, { kind: 'source_silent' }>, { say, minute }: Words): Notice {
  const { tenant, kind, connectorId, name, lastEventAt, isHeard } = happening;
  const last = minute(lastEventAt);
  return {
    ...{ tenant, kind, audience: { role: 'SystemManager' } },
    title: line(
      isHeard ? say('{name} sends events again', { name }) : say('{name} sends no events any more', { name }),
      TITLE_MAX,
    ),
    text: isHeard ? say('It was silent since {last}.', { last }) : say('The last one came {last}.', { last }),
    link: connectorId === null ? '/integrations/sources' : `/integrations/${connectorId}`,
  };
}

/** Of a domain of single sign-on whose record is gone. */
function domainNotice(
  { tenant, kind, domain, until }: Extract<Happening, { kind: 'domain_unproved' }>,
  { say, minute }: Words,
): Notice {
  return {
    ...{ tenant, kind, audience: { role: 'Admin' } },
    title: line(
      until === null
        ? say('{domain} is no longer proved', { domain })
        : say('The record that proves {domain} is gone', { domain }),
      TITLE_MAX,
    ),
    text:
      until === null
        ? say(
            'Its DNS record was gone for a week. Nobody is sent to single sign-on by it, and nobody joins, until it is proved again.',
          )
        : say('Set it again by {until}, or single sign-on stops taking addresses of the domain.', {
            until: minute(until),
          }),
    link: '/settings/tenant-settings?panel=sign-in',
  };
}

const objectiveWords = {
  api_answers: 'Calls of the API fail',
  api_speed: 'Calls of the API are slow',
  events_taken: 'Deliveries of events are refused',
  events_speed: 'Events are acknowledged late',
  runs_begin: 'Runs begin late',
} as const satisfies Readonly<Record<ObjectiveId, string>>;

function objectiveNotice(happening: Extract<Happening, { kind: 'objective_missed' }>, { say }: Words): Notice {
  const { tenant, kind, objective, isKept } = happening;
  const what = say(objectiveWords[objective]);
  return {
    ...{ tenant, kind, audience: { role: 'Admin' } },
    title: isKept ? say('{what}: over', { what }) : say('{what} more often than promised', { what }),
    text: isKept
      ? say('It is as promised again. Operations shows what was missed.')
      : say('It uses up the room for errors of thirty days too fast. Operations shows how fast, and what waits where.'),
    link: '/settings/tenant-settings?panel=operations',
  };
}

/** Mails of it leave only when a worker is back: what they say has to be true then as well. */
function stalledNotice(happening: Extract<Happening, { kind: 'work_stalled' }>, { say, minute }: Words): Notice {
  const { tenant, kind, seen } = happening;
  const since = minute(happening.since);
  const told: Omit<Notice, 'title' | 'text'> = {
    ...{ tenant, kind, audience: { role: 'Admin' } },
    link: '/settings/tenant-settings?panel=operations',
  };
  if (seen === null) {
    return {
      ...told,
      title: say('Work is taken up again'),
      text: say('The oldest of it was due since {since}. Operations shows what still waits.', { since }),
    };
  }
  const facts = { at: minute(seen.at), since };
  return {
    ...told,
    title: say('Nobody takes up work'),
    text:
      seen.workers === 0
        ? say(
            'No worker was running at {at}, and work had been due since {since}. Start a process with ROLE=worker.',
            facts,
          )
        : say(
            'The workers that ran at {at} took none of the work that was due since {since}. Bring all processes to one release, or start them anew.',
            facts,
          ),
  };
}

/** The rule by which an answer is accepted: named people, or anybody of at least the role, by default an Analyst. */
function approversOf({
  approvers: { role, usernames },
  isAskedBefore,
}: Extract<Happening, { kind: 'prompt_waiting' }>): Audience {
  return {
    ...(usernames === undefined ? { role: role ?? 'Analyst' } : { usernames }),
    ...(usernames === undefined || role === undefined ? {} : { role }),
    ...(isAskedBefore ? { ifUnheard: true } : {}),
  };
}

/** Only what succeeded and what its owner would want to know at once. */
const securityTitles = {
  'password.reset': 'Your password was reset',
  'password.change': 'Your password was changed',
  'totp.enrol': 'An authenticator app was set up for your account',
  'recovery_codes.regenerate': 'New recovery codes were made for your account',
  'passkey.add': 'A passkey was added to your account',
  'passkey.remove': 'A passkey was removed from your account',
  'external_account.link': 'An external account was linked to yours',
  'external_account.unlink': 'An external account was unlinked from yours',
  'session.reuse_detected': 'A session of yours was used from two places and has been ended',
} as const satisfies Partial<Record<SecurityEvent['action'], string>>;

function securityTitle(
  action: SecurityEvent['action'],
): (typeof securityTitles)[keyof typeof securityTitles] | undefined {
  const titles: Partial<Record<SecurityEvent['action'], (typeof securityTitles)[keyof typeof securityTitles]>> =
    securityTitles;
  return titles[action];
}

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
  { event, isNewDevice }: { event: SecurityEvent; isNewDevice: boolean },
  { say }: Words,
): Notice | undefined {
  const isSignIn = event.action === 'session.sign_in';
  const title = isSignIn ? 'A sign-in from a new device or network' : securityTitle(event.action);
  if (title === undefined || (isSignIn && !isNewDevice)) return undefined;
  if (event.outcome !== 'ok' && event.action !== 'session.reuse_detected') return undefined;
  return {
    tenant: user.home_tenant_id,
    kind: 'account_security',
    audience: {
      ...{ users: [user.id], anywhere: true },
      ...(mailedByAccount.has(event.action) ? { mailed: true as const } : {}),
    },
    title: say(title),
    text: line(
      event.from === undefined
        ? say('If this was you, there is nothing to do. If not, change your password and end your other sessions.')
        : say(
            'If this was you, there is nothing to do. It came from {address}. If not, change your password and end your other sessions.',
            { address: event.from.clientAddress },
          ),
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
