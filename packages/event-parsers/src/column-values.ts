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

const ADDRESS = /^[0-9a-f:.]{3,45}(?:%[\w.-]{1,32})?$/i;

/** The address without the IPv4-in-IPv6 prefix; empty for anything that is not an IP address. */
export function addressOf(value: unknown): string {
  if (typeof value !== 'string' || !ADDRESS.test(value)) return '';
  if (value.startsWith('::ffff:') && value.includes('.')) return value.slice(7);
  return value.includes('.') || value.includes(':') ? value : '';
}

/** The address in front of a port or an interface: `192.0.2.1:514:X1`, `[2001:db8::1]:514`. */
export function addressWithPort(value: unknown): { address: string; port: number | undefined } {
  if (typeof value !== 'string' || value.length > 120) return { address: '', port: undefined };
  const bracket = value.startsWith('[') ? value.indexOf(']') : -1;
  const isPlain = bracket === -1 && (value.includes('::') || value.split(':', 5).length > 4);
  const end = bracket === -1 ? value.indexOf(':') : bracket + 1;
  if (isPlain || end === -1) return { address: addressOf(value), port: undefined };
  const address = addressOf(bracket === -1 ? value.slice(0, end) : value.slice(1, bracket));
  const port = Number.parseInt(value.slice(end + 1), 10);
  return { address, port: Number.isNaN(port) ? undefined : port };
}

/** `User.Session Start` → `user_session_start`. */
export function snakeCase(value: unknown): string {
  if (typeof value !== 'string' || value === '') return '';
  const short = value.length > 100 ? value.slice(0, 100) : value;
  return short
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
