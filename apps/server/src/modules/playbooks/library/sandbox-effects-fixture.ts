/** What playbooks did at the vendors, told from what the sandbox remembers. */
import type { Sandbox, SandboxVendor } from '@airdeck/simulator/sandbox/sandbox';

type Row = Readonly<Record<string, unknown>>;
type Rows = (list: string) => readonly Row[];

/** Sessions of every account in the sandbox began then. */
const SESSIONS_SINCE = '2026-09-01T08:00:00Z';
/** Members the tests look at: by group of Okta, and of the GitHub organization. */
const FINANCE_MEMBER = { login: 'bo.estrup@larkspur.example', id: '00u626f2e65737472757' };
const GITHUB_MEMBER = 'ada-abend';

/** One line for everything that is not as it was after a reset, in the order of the alphabet. */
export function effectsOn(sandbox: Pick<Sandbox, 'state'>): string[] {
  const state = sandbox.state();
  const lines = Object.entries(vendorEffects).flatMap(([vendor, linesOf]) => {
    const memory = (state[vendor] ?? {}) as Readonly<Record<string, unknown>>;
    const rows: Rows = (list) => (Array.isArray(memory[list]) ? memory[list] : []) as readonly Row[];
    return linesOf(rows, memory);
  });
  return lines.toSorted();
}

const vendorEffects: Partial<Record<SandboxVendor, (rows: Rows, memory: Row) => string[]>> = {
  fortigate: (_rows, { groups }) =>
    ((groups as Record<string, string[]>)['AIRdeck-Blocked'] ?? []).map((name) => `fortigate blocks ${name}`),
  panos: (_rows, { tags }) => Object.keys((tags ?? {}) as Row).map((address) => `panos blocks ${address}`),
  okta: (rows) => [
    ...rows('users')
      .filter(({ status }) => status !== 'ACTIVE')
      .map(({ login, status }) => `okta ${login} is ${status}`),
    ...rows('users')
      .filter(({ sessions }) => sessions === 0)
      .map(({ login }) => `okta ${login} is signed out`),
    ...rows('groups')
      .filter(({ name, members }) => name === 'Finance' && !(members as string[]).includes(FINANCE_MEMBER.id))
      .map(() => `okta ${FINANCE_MEMBER.login} left Finance`),
  ],
  microsoft_graph: (rows) => [
    ...rows('users')
      .filter(({ accountEnabled }) => accountEnabled === false)
      .map(({ userPrincipalName }) => `entra ${userPrincipalName} is locked`),
    ...rows('users')
      .filter(({ signInSessionsValidFromDateTime: since }) => since !== SESSIONS_SINCE)
      .map(({ userPrincipalName }) => `entra ${userPrincipalName} is signed out`),
    ...rows('risky_users')
      .filter(({ riskState }) => riskState === 'confirmedCompromised')
      .map(({ userPrincipalName }) => `entra ${userPrincipalName} is compromised`),
    ...rows('alerts')
      .filter(({ classification }) => classification !== null)
      .map(({ title, status, classification }) => `entra alert ${title} is ${status}, ${classification}`),
  ],
  crowdstrike: (rows) => [
    ...rows('hosts')
      .filter(({ status }) => status !== 'normal')
      .map(({ hostname }) => `falcon isolates ${hostname}`),
    ...rows('indicators').map(({ action, value }) => `falcon ${action}s ${value}`),
  ],
  aws: (rows) =>
    rows('users').flatMap(({ name, keys, policies }) => [
      ...(keys as Row[]).filter(({ status }) => status === 'Inactive').map(({ id }) => `aws key ${id} is inactive`),
      ...((policies as string[]).length > 0 ? [`aws ${name} is locked`] : []),
    ]),
  github: (rows, { members }) => [
    ...rows('issues').map(({ title }) => `github issue ${title}`),
    ...(Array.isArray(members) && members.length > 0 && !members.includes(GITHUB_MEMBER)
      ? [`github without ${GITHUB_MEMBER}`]
      : []),
  ],
  jira: (rows) =>
    rows('issues').flatMap(({ summary, comments }) => [
      `jira ${summary}`,
      ...Array.from({ length: Number(comments) }, () => `jira comment on ${summary}`),
    ]),
  servicenow: (rows) => rows('incidents').map(({ short_description: title }) => `servicenow ${title}`),
  pagerduty: (rows) => rows('incidents').map(({ title, status }) => `pagerduty ${title}, ${status}`),
  slack: (rows) => rows('messages').map(({ text }) => `slack ${String(text).split('\n', 1)[0]}`),
};
