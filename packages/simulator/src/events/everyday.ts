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

/**
 * What the company's products write in one second of an ordinary day, in order. Depends on seed and second only, so that
 * the past can be made again piece by piece, and the present joins it without a seam. Never anything a policy should see.
 */
export function everydaySecond(
  company: Company,
  seed: Random,
  { second, ratePerSecond }: { second: number; ratePerSecond: number },
): RawRecord[] {
  const random = seed.fork(`second ${second}`);
  const expected = ratePerSecond * rhythmAt(new Date(second * 1000));
  const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
  const times = Array.from({ length: count }, () => second * 1000 + random.int(0, 999)).sort((a, b) => a - b);
  const records = times.map((time) => everydayRecord({ time, company, random }));
  // One password typed wrongly every other minute: real logs have some, and it stays far below any threshold.
  if (second % 120 === 60 && random.chance(Math.min(1, ratePerSecond))) {
    records.push(typingError({ time: second * 1000 + 999, company, random }));
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
