const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const header =
  /^<(\d{1,3})>(?:([A-Z][a-z]{2}) ([ \d]\d) (\d\d:\d\d:\d\d) (\S+) )?(?:([\w./-]+)(?:\[(\d+)\])?: )?([\s\S]*)$/;
/** Number of the documentation example of RFC 5424; we have none of our own. */
const ENTERPRISE = 32_473;
const DAY_MS = 86_400_000;

/**
 * A line as its product wrote it, rewritten as RFC 5424 with the source's token in the structured data: that is how one
 * listener tells the senders of several tenants apart. The old format has no year, so the one that is not in the future
 * is taken. A line that is not syslog comes back as it is.
 */
export function attributedSyslog(line: string, token: string, now: number): string {
  const parts = header.exec(line);
  if (parts === null) return line;
  const [, priority, month, day, time, host = '-', app = '-', process = '-', message = ''] = parts;
  const stamp = month === undefined ? '-' : timestamp(`${month}`, Number(day), `${time}`, now);
  return `<${priority}>1 ${stamp} ${host} ${app} ${process} - [airdeck@${ENTERPRISE} token="${token}"] ${message}`;
}

function timestamp(month: string, day: number, time: string, now: number): string {
  const at = (year: number) => Date.parse(`${year}-${two(MONTHS.indexOf(month) / 3 + 1)}-${two(day)}T${time}Z`);
  const thisYear = new Date(now).getUTCFullYear();
  const moment = at(thisYear) > now + DAY_MS ? at(thisYear - 1) : at(thisYear);
  return Number.isNaN(moment) ? '-' : new Date(moment).toISOString();
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
