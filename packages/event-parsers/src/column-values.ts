import { isIP } from 'node:net';

/** How the words of sources become the few values our columns know. */

const severities: Readonly<Record<string, string>> = {
  trace: 'debug',
  debug: 'debug',
  verbose: 'debug',
  info: 'info',
  information: 'info',
  informational: 'info',
  notice: 'notice',
  low: 'low',
  warn: 'medium',
  warning: 'medium',
  medium: 'medium',
  moderate: 'medium',
  err: 'high',
  error: 'high',
  high: 'high',
  major: 'high',
  crit: 'critical',
  critical: 'critical',
  fatal: 'critical',
  alert: 'critical',
  emerg: 'critical',
  emergency: 'critical',
  panic: 'critical',
};

/** By syslog severity number, 0 (emergency) to 7 (debug). */
const syslogSeverities = ['critical', 'critical', 'critical', 'high', 'medium', 'notice', 'info', 'debug'];

const successWords = [
  'success',
  'succeeded',
  'successful',
  'allow',
  'allowed',
  'accept',
  'accepted',
  'pass',
  'passed',
  'permit',
  'ok',
  'true',
];
const failureWords = [
  'failure',
  'failed',
  'fail',
  'deny',
  'denied',
  'block',
  'blocked',
  'drop',
  'dropped',
  'reject',
  'rejected',
  'error',
  'false',
];
const outcomes: ReadonlyMap<string, string> = new Map([
  ...successWords.map((word) => [word, 'success'] as const),
  ...failureWords.map((word) => [word, 'failure'] as const),
]);

/** Empty for words nobody agreed on, and for bare numbers: every product counts them differently. */
export function severityOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const word = severities[value] ?? severities[value.toLowerCase()];
  return typeof word === 'string' ? word : '';
}

export function syslogSeverityOf(severity: number | undefined): string {
  return severity === undefined ? '' : (syslogSeverities[severity] ?? '');
}

/** Of a number from 0 to 10 as CEF and LEEF count, or of the word some write instead. */
export function tenPointSeverityOf(value: string | undefined): string {
  if (value === undefined || value === '') return '';
  const number = Number(value);
  if (Number.isNaN(number)) return value.toLowerCase() === 'very-high' ? 'critical' : severityOf(value);
  if (number >= 9) return 'critical';
  if (number >= 7) return 'high';
  return number >= 4 ? 'medium' : 'low';
}

export function outcomeOf(value: unknown): string {
  if (value === true) return 'success';
  if (value === false) return 'failure';
  return typeof value === 'string' ? (outcomes.get(value) ?? outcomes.get(value.toLowerCase()) ?? '') : '';
}

/** Text of a scalar; `-` is how many formats write "nothing". */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value === '-' ? '' : value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return '';
}

const ADDRESS_MAX = 120;
const IPV4 = /^[\d.]{7,15}$/;
/** Logs that pad numbers to three digits mean decimal ones. */
const LEADING_ZEROS = /(?<!\d)0+(?=\d)/g;
/** What IPv6 writes in front of an IPv4 address. */
const MAPPED = /^(?:::|(?:0{1,4}:){5})ffff:(?:([\d.]+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i;

/**
 * The address, without the port that may stand behind it and without the IPv4-in-IPv6 prefix; empty for anything that is
 * not an IP address.
 */
export function addressOf(value: unknown): string {
  return addressWithPort(value).address;
}

/** The address in front of a port or an interface: `192.0.2.1:514:X1`, `[2001:db8::1]:514`, all eight groups and `:514`. */
export function addressWithPort(value: unknown): { address: string; port: number | undefined } {
  if (typeof value !== 'string' || value.length > ADDRESS_MAX) return { address: '', port: undefined };
  const whole = onlyAddress(value);
  const end = whole === '' ? endOfAddress(value) : -1;
  if (end === -1) return { address: whole, port: undefined };
  const address = onlyAddress(value.startsWith('[') ? value.slice(1, end - 1) : value.slice(0, end));
  const port = Number.parseInt(value.slice(end + 1), 10);
  return { address, port: Number.isNaN(port) ? undefined : port };
}

/** Where the colon before the port is, or would be. */
function endOfAddress(value: string): number {
  if (value.startsWith('[')) {
    const bracket = value.indexOf(']');
    return bracket === -1 ? -1 : bracket + 1;
  }
  // Suricata has no brackets, and writes all eight groups: the ninth is the port.
  return value.split(':', 10).length === 9 ? value.lastIndexOf(':') : value.indexOf(':');
}

function onlyAddress(written: string): string {
  const text = IPV4.test(written) ? written.replace(LEADING_ZEROS, '') : written;
  // What listens everywhere names no address.
  if (text === '::' || isIP(text) === 0) return '';
  const mapped = MAPPED.exec(text);
  if (mapped === null) return text;
  const [, plain, high = '', low = ''] = mapped;
  if (plain !== undefined) return plain;
  const groups = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return groups.map((group) => `${group >> 8}.${group & 255}`).join('.');
}

const NAME_MAX = 100;

/** `User.Session Start` → `user_session_start`. */
export function snakeCase(value: unknown): string {
  if (typeof value !== 'string' || value === '') return '';
  const short = value.length > NAME_MAX ? value.slice(0, NAME_MAX) : value;
  return short
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, NAME_MAX)
    .toLowerCase();
}
