import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { addressOf } from '../column-values.ts';
import type { MessageFormat } from '../format.ts';

type Reader = (event: ParsedEvent, text: string) => void;

const PAM = /^pam_\w{1,20}\((?:[\w.-]{1,40}):(\w{1,20})\): (.{1,400})/;
const PAM_SESSION = /^session (opened|closed) for user ([^\s(]{1,128})/;
const PAM_FAILURE = /^authentication failure;.*?\brhost=(\S{0,64})(?:\s{1,8}user=(\S{1,128}))?/;
/** Without a terminal, as from a web server or cron, there is no `TTY=`. */
const SUDO =
  /^(\S{1,128}) : (?:(?!TTY=|PWD=)(.{1,120}?) ; ?)?(?:TTY=(\S{1,64}) ?;? {1,8})?PWD=(.{1,1000}?) ?;? {1,8}USER=(\S{1,128})/;
const COMMAND = 'COMMAND=';
const SU_TO = /^(?:\(to ([^\s)]{1,128})\) (\S{1,128}) on|(Successful|FAILED) su for (\S{1,128}) by (\S{1,128}))/;
const NEW_USER = /^new (user|group): name=([^\s,]{1,128})/;
const DELETE_USER = /^(?:delete user '([^']{1,128})'|removed group '([^']{1,128})')/;
const PASSWORD = /^(?:password changed for|pam_unix\(passwd:chauthtok\): password changed for) (\S{1,128})/;
const MEMBER = /^add '([^']{1,128})' to (?:shadow )?group '([^']{1,128})'/;
const CRON = /^\(([^)]{1,128})\) (CMD|RELOAD|REPLACE|LIST|BEGIN EDIT|END EDIT|DELETE) \((.{0,8000})\)$/;

/** What programs of a Linux system write about users and rights; sshd has a format of its own. */
const programs: ReadonlyMap<string, { integration: string; read: Reader }> = new Map(
  Object.entries({
    sudo: { integration: 'sudo', read: readSudo },
    su: { integration: 'su', read: readSu },
    useradd: { integration: 'linux_accounts', read: readAccounts },
    userdel: { integration: 'linux_accounts', read: readAccounts },
    usermod: { integration: 'linux_accounts', read: readAccounts },
    groupadd: { integration: 'linux_accounts', read: readAccounts },
    groupdel: { integration: 'linux_accounts', read: readAccounts },
    gpasswd: { integration: 'linux_accounts', read: readAccounts },
    passwd: { integration: 'linux_accounts', read: readAccounts },
    chpasswd: { integration: 'linux_accounts', read: readAccounts },
    cron: { integration: 'cron', read: readCron },
    crond: { integration: 'cron', read: readCron },
    crontab: { integration: 'cron', read: readCron },
    anacron: { integration: 'cron', read: readCron },
  }),
);

/** sudo, su, accounts, cron. Lines they write about other things are `log` of the same integration. */
export const linuxProgramFormat: MessageFormat = {
  name: 'linux_program',
  parse(event, { app, message }) {
    if (app === '') return undefined;
    const program = programs.get(app.slice(app.lastIndexOf('/') + 1).toLowerCase());
    if (program === undefined) return undefined;
    event.integration = program.integration;
    // sudo aligns the names of its users.
    const text = message.trimStart();
    if (!readPam(event, text)) program.read(event, text);
    return event;
  },
};

function fill(event: ParsedEvent, [event_type, action, outcome]: readonly [string, string, string]): void {
  event.event_type = event_type;
  event.action = action;
  event.outcome = outcome;
}

function readPam(event: ParsedEvent, text: string): boolean {
  const pam = text.startsWith('pam_') ? PAM.exec(text) : null;
  if (pam === null) return false;
  const said = pam[2] ?? '';
  const session = PAM_SESSION.exec(said);
  const failure = PAM_FAILURE.exec(said);
  if (session !== null) {
    fill(event, ['session', session[1] === 'opened' ? 'start_session' : 'end_session', 'success']);
    event.user = session[2] ?? '';
  } else if (failure !== null) {
    fill(event, ['authentication', 'authenticate', 'failure']);
    event.src_ip = addressOf(failure[1]);
    event.user = failure[2] ?? '';
  }
  return session !== null || failure !== null;
}

function readSudo(event: ParsedEvent, text: string): void {
  const sudo = SUDO.exec(text);
  if (sudo === null) return;
  const [, user = '', complaint, terminal, folder, asUser] = sudo;
  fill(event, ['process', 'run_as', complaint === undefined ? 'success' : 'failure']);
  event.user = user;
  const details = { working_directory: folder, target_user: asUser };
  const at = text.indexOf(COMMAND);
  Object.assign(event.fields, {
    ...(terminal === undefined ? {} : { terminal }),
    ...details,
    ...(at === -1 ? {} : { command: text.slice(at + COMMAND.length) }),
    ...(complaint === undefined ? {} : { reason: complaint.trim() }),
  });
}

function readSu(event: ParsedEvent, text: string): void {
  const failed = text.startsWith('FAILED SU ');
  const su = SU_TO.exec(failed ? text.slice(10) : text);
  if (su === null) return;
  const [, target, by, verdict, otherTarget, otherBy] = su;
  fill(event, ['authentication', 'switch_user', failed || verdict === 'FAILED' ? 'failure' : 'success']);
  event.user = by ?? otherBy ?? '';
  Object.assign(event.fields, { target_user: target ?? otherTarget });
}

function readAccounts(event: ParsedEvent, text: string): void {
  const created = NEW_USER.exec(text);
  const removed = DELETE_USER.exec(text);
  const member = MEMBER.exec(text);
  const changed = PASSWORD.exec(text);
  if (created !== null) fill(event, ['account', created[1] === 'user' ? 'create_user' : 'create_group', 'success']);
  else if (removed !== null) {
    fill(event, ['account', removed[1] === undefined ? 'delete_group' : 'delete_user', 'success']);
  } else if (member !== null) fill(event, ['account', 'add_to_group', 'success']);
  else if (changed !== null) fill(event, ['account', 'change_password', 'success']);
  event.user = created?.[2] ?? removed?.[1] ?? removed?.[2] ?? member?.[1] ?? changed?.[1] ?? '';
  if (member !== null) Object.assign(event.fields, { group: member[2] });
}

function readCron(event: ParsedEvent, text: string): void {
  const cron = CRON.exec(text);
  if (cron === null) return;
  const [, user = '', verb, what] = cron;
  fill(event, verb === 'CMD' ? ['process', 'run_job', 'success'] : ['configuration', 'change_jobs', 'success']);
  event.user = user;
  Object.assign(event.fields, { command: what });
}
