import type { Company } from '../company.ts';
import { rhythmAt } from '../daily-rhythm.ts';
import type { Random } from '../random.ts';
import type { RawRecord } from '../raw-record.ts';
import { firewallTraffic } from './fortigate.ts';
import { oktaSignIn } from './okta.ts';
import { sshFailure, sshSession, sshSuccess } from './sshd.ts';
import { windowsLogon } from './windows-security.ts';

type Moment = { readonly time: number; readonly company: Company; readonly random: Random };

/** Products by how much they write in an ordinary company. */
const mix: readonly (readonly [number, (moment: Moment) => RawRecord])[] = [
  [0.62, everydayTraffic],
  [0.8, everydayWindows],
  [0.88, everydayOkta],
  [1, everydaySsh],
];

/** Which part of an ordinary day: `seconds` from the second `from` (since 1970) on. */
export type EverydaySlot = { readonly from: number; readonly seconds: number };

/** Where there is less than one record in this many seconds, a slot is a minute: most seconds would be made for nothing. */
const SPARSE_SECONDS = 10;

/** The length in seconds of the slots a day of this rate is made of; one begins with each whole minute. */
export function slotSeconds(ratePerSecond: number): number {
  return ratePerSecond * SPARSE_SECONDS < 1 ? 60 : 1;
}

/**
 * What the company's products write in one slot of an ordinary day, in order. Depends on seed and slot only, so that the
 * past can be made again piece by piece, and the present joins it without a seam. Never anything a policy should see.
 */
export function everydayRecords(
  company: Company,
  seed: Random,
  { from, seconds, ratePerSecond }: EverydaySlot & { ratePerSecond: number },
): RawRecord[] {
  const random = seed.fork(`${seconds === 1 ? 'second' : 'minute from'} ${from}`);
  const expected = ratePerSecond * seconds * rhythmAt(new Date(from * 1000));
  const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
  const lastMs = seconds * 1000 - 1;
  const times = Array.from({ length: count }, () => from * 1000 + random.int(0, lastMs)).sort((a, b) => a - b);
  const records = times.map((time) => everydayRecord({ time, company, random }));
  // One password typed wrongly every other minute: real logs have some, and it stays far below any threshold.
  if (from % 120 === 60 && random.chance(Math.min(1, ratePerSecond))) {
    records.push(typingError({ time: from * 1000 + lastMs, company, random }));
  }
  return records;
}

function everydayRecord(moment: Moment): RawRecord {
  const at = moment.random.next();
  const [, make] = mix.find(([share]) => at < share) ?? [1, everydayTraffic];
  return make(moment);
}

function everydayTraffic({ time, company, random }: Moment): RawRecord {
  const employee = random.pick(company.employees);
  const service = random.pick(company.services);
  return firewallTraffic({
    time,
    company,
    random,
    from: { address: employee.workstation.address, side: 'lan' },
    to: { address: service.address, port: service.port, service: service.name },
    action: random.chance(0.9) ? 'close' : 'accept',
  });
}

function everydayWindows({ time, company, random }: Moment): RawRecord {
  const employee = random.pick(company.employees);
  return windowsLogon({ time, random, company, employee, address: employee.workstation.address, outcome: 'success' });
}

function everydayOkta({ time, company, random }: Moment): RawRecord {
  const employee = random.pick(company.employees);
  const address = random.chance(0.7) ? company.publicAddress : employee.homeAddress;
  return oktaSignIn({ time, random, employee, address, result: 'SUCCESS' });
}

function everydaySsh({ time, company, random }: Moment): RawRecord {
  const employee = random.pick(company.employees);
  const host = random.pick(company.linuxServers);
  const attempt = { time, host, user: employee.account, address: employee.workstation.address, random };
  const kind = random.int(0, 2);
  if (kind === 0) return sshSuccess({ ...attempt, method: 'publickey' });
  return sshSession(attempt, kind === 1 ? 'opened' : 'closed');
}

function typingError({ time, company, random }: Moment): RawRecord {
  const employee = random.pick(company.employees);
  const host = random.pick(company.linuxServers);
  return sshFailure({
    time,
    host,
    user: employee.account,
    knownUser: true,
    address: employee.workstation.address,
    random,
  });
}
