import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { addressOf } from '../column-values.ts';
import type { MessageFormat } from '../format.ts';

/** Since OpenSSH 9.8 a session is a program of its own. */
const programs = new Set(['sshd', 'sshd-session', 'sshd-auth']);

// Greedy before the last ` from `: the name is what the attacker typed and may itself contain one.
const SIGN_IN =
  /^(Failed|Accepted) ([\w/-]{1,40}) for (invalid user )?(.*) from (\S{1,64}) port (\d{1,5})(?: ssh\d?)?(?::.*)?$/;
const REPEATED = /^message repeated (\d{1,9}) times: \[ (.*)\]$/;
const PAM_RHOST = /\brhost=(\S{1,64})/;
const PAM_USER = /\buser=(\S{1,256})/;
/** Behind `user` comes a name, elsewhere a name may stand in front of the address. */
const FROM = /\bfrom (user |invalid user |authenticating user )?(\S{0,256})(?= (\S{1,256})|)/gi;
const AROUND_ADDRESS = /^[([]|[)\]:,;.]+$/g;
const LINE_END = /[\n\r\u2028\u2029]/;

/**
 * OpenSSH. Password guesses are `login` failures; keys a client offers in vain before it succeeds are `key_offer`, so that
 * an ordinary sign-in does not look like guessing. PAM repeats every failure in its own words: those lines, and all
 * others, are `log` without an action, so that one failure counts once.
 */
export const sshdFormat: MessageFormat = {
  name: 'sshd',
  parse(event, { app, message }) {
    if (!programs.has(app)) return undefined;
    event.integration = 'sshd';
    const repeated = REPEATED.exec(message);
    const text = repeated?.[2] ?? message;
    if (repeated !== null) Object.assign(event.fields, { repeated: Number(repeated[1]) });
    const signIn = SIGN_IN.exec(firstLineOf(text));
    if (signIn === null) fillOther(event, text);
    else fillSignIn(event, signIn);
    return event;
  },
};

/** Behind the end of a line the pattern would begin anew at each ` from `. */
function firstLineOf(text: string): string {
  const end = text.search(LINE_END);
  return end === -1 ? text : text.slice(0, end);
}

function fillSignIn(event: ParsedEvent, signIn: RegExpExecArray): void {
  const [, verdict, method = '', invalid, user = '', address = '', port = ''] = signIn;
  const isGuess = method === 'password' || method.startsWith('keyboard-interactive');
  event.event_type = 'authentication';
  event.action = verdict === 'Accepted' || isGuess ? 'login' : 'key_offer';
  event.outcome = verdict === 'Accepted' ? 'success' : 'failure';
  event.user = user;
  event.src_ip = addressOf(address);
  Object.assign(event.fields, { auth_method: method, src_port: Number(port), invalid_user: invalid !== undefined });
}

function fillOther(event: ParsedEvent, text: string): void {
  const host = PAM_RHOST.exec(text)?.[1];
  event.src_ip = host === undefined ? addressBehindFrom(text) : addressOf(host);
  event.user = PAM_USER.exec(text)?.[1] ?? '';
}

/** `from 192.0.2.1: 11: …`, `from user ana 192.0.2.1 port 22`. */
function addressBehindFrom(text: string): string {
  for (const [, isUser, first = '', second = ''] of text.matchAll(FROM)) {
    const words = isUser === undefined ? [first, second] : [second, first];
    const address = words.map(addressIn).find((found) => found !== '');
    if (address !== undefined) return address;
  }
  return '';
}

function addressIn(word: string): string {
  return addressOf(word) || addressOf(word.replace(AROUND_ADDRESS, ''));
}
