import { type Company, createCompany, type Employee } from '../company.ts';
import { oktaSignIn } from '../events/okta.ts';
import { createRandom } from '../random.ts';

export type OktaStatus = 'ACTIVE' | 'SUSPENDED' | 'PASSWORD_EXPIRED' | 'LOCKED_OUT' | 'DEPROVISIONED' | 'RECOVERY';

export type OktaUser = {
  readonly id: string;
  readonly employee: Employee;
  status: OktaStatus;
  statusChanged: string;
  /** From devices Okta does not know; the status stays ACTIVE. */
  isBlocked: boolean;
  sessions: number;
};

export type OktaGroup = {
  readonly id: string;
  readonly name: string;
  readonly builtIn: boolean;
  readonly members: Set<string>;
};

/** An event and when the log took it in: polling follows that order, whatever `published` says. */
export type OktaLogEntry = { readonly persistedMs: number; readonly event: Record<string, unknown> };

export type OktaMemory = {
  readonly company: Company;
  readonly users: Map<string, OktaUser>;
  readonly groups: Map<string, OktaGroup>;
  readonly log: OktaLogEntry[];
};

const HISTORY_MINUTES = 40;

/** The simulator's company as an Okta organisation, with the sign-ins of its last forty minutes. */
export function createOktaMemory(now: Date): OktaMemory {
  const company = createCompany('sandbox');
  const started = new Date(now.getTime() - 30 * 86_400_000).toISOString();
  const users = new Map(
    company.employees.map((employee): [string, OktaUser] => {
      const id = userIdOf(employee);
      return [id, { id, employee, status: 'ACTIVE', statusChanged: started, isBlocked: false, sessions: 1 }];
    }),
  );
  const memory: OktaMemory = { company, users, groups: createGroups(company), log: [] };
  const random = createRandom('sandbox').fork('okta');
  for (let minute = HISTORY_MINUTES; minute > 0; minute -= 1) {
    const employee = company.employees[minute % company.employees.length] ?? company.employees[0];
    const time = now.getTime() - minute * 60_000;
    const record = oktaSignIn({ time, random, employee, address: employee.homeAddress, result: 'SUCCESS' });
    appendToLog(memory, JSON.parse(record.line) as Record<string, unknown>);
  }
  return memory;
}

/** Takes an event in at the end: one that was published earlier arrives late, as it does at the vendor. */
export function appendToLog(memory: OktaMemory, event: Record<string, unknown>): void {
  const published = Date.parse(String(event.published));
  const last = memory.log.at(-1)?.persistedMs ?? Number.NEGATIVE_INFINITY;
  memory.log.push({ persistedMs: Math.max(Number.isNaN(published) ? last : published, last), event });
}

/** By id, by login, or by the part before the @ where only one login begins so: every user route takes all three. */
export function findUser(memory: OktaMemory, idOrLogin: string): OktaUser | undefined {
  const byId = memory.users.get(idOrLogin);
  if (byId !== undefined) return byId;
  const wanted = idOrLogin.toLowerCase();
  const users = [...memory.users.values()];
  const byShortName = users.filter((user) => user.employee.email.split('@')[0] === wanted);
  return (
    users.find((user) => user.employee.email === wanted) ?? (byShortName.length === 1 ? byShortName[0] : undefined)
  );
}

export function userObject(user: OktaUser): Record<string, unknown> {
  const [firstName = '', ...rest] = user.employee.name.split(' ');
  return {
    id: user.id,
    status: user.status,
    created: '2024-03-01T08:00:00.000Z',
    activated: '2024-03-01T08:00:00.000Z',
    statusChanged: user.statusChanged,
    lastLogin: user.statusChanged,
    lastUpdated: user.statusChanged,
    passwordChanged: '2026-09-01T08:00:00.000Z',
    type: { id: 'otysandbox0000000000' },
    profile: {
      firstName,
      lastName: rest.join(' '),
      login: user.employee.email,
      email: user.employee.email,
      department: user.employee.department,
      mobilePhone: null,
    },
    credentials: { password: {}, provider: { type: 'OKTA', name: 'OKTA' } },
    _links: { self: { href: `/api/v1/users/${user.id}` } },
  };
}

export function groupObject(group: OktaGroup): Record<string, unknown> {
  return {
    id: group.id,
    created: '2024-03-01T08:00:00.000Z',
    lastUpdated: '2024-03-01T08:00:00.000Z',
    lastMembershipUpdated: '2026-09-01T08:00:00.000Z',
    objectClass: ['okta:user_group'],
    type: group.builtIn ? 'BUILT_IN' : 'OKTA_GROUP',
    profile: { name: group.name, description: null },
  };
}

function createGroups(company: Company): Map<string, OktaGroup> {
  const ids = (employees: readonly Employee[]) => new Set(employees.map(userIdOf));
  const finance = company.employees.filter((employee) => employee.department === 'Finance');
  const groups: OktaGroup[] = [
    { id: '00gsandboxeveryone000', name: 'Everyone', builtIn: true, members: ids(company.employees) },
    { id: '00gsandboxfinance0000', name: 'Finance', builtIn: false, members: ids(finance) },
    { id: '00gsandboxquarantine0', name: 'Quarantine', builtIn: false, members: new Set() },
  ];
  return new Map(groups.map((group) => [group.id, group]));
}

function userIdOf(employee: Employee): string {
  return `00u${Buffer.from(employee.account, 'utf8').toString('hex').padEnd(17, '0').slice(0, 17)}`;
}
