import { createHash } from 'node:crypto';
import { createCompany } from '../company.ts';

export type GraphRecord = Record<string, unknown>;

export type GraphMemory = {
  /** By object id. */
  readonly users: Map<string, GraphRecord>;
  readonly alerts: Map<string, GraphRecord>;
  readonly signIns: GraphRecord[];
  readonly riskyUsers: Map<string, GraphRecord>;
  /** Tokens handed out, with the time they end at in milliseconds and whether they are for the cloud of China. */
  readonly tokens: Map<string, { readonly endsMs: number; readonly isChina: boolean }>;
};

/** What every route needs. */
export type GraphDeps = { readonly current: () => GraphMemory; readonly now: () => Date; readonly url: () => string };

export const SANDBOX_TENANT = '00000000-0000-4000-8000-00000000a1de';

const SIGN_INS = 60;

/**
 * The simulator's company as an Entra ID tenant with Defender: its employees and one guest, three alerts, an hour of
 * sign-ins, one user at risk.
 */
export function createGraphMemory(now: Date): GraphMemory {
  const { domain, employees } = createCompany('sandbox');
  const users = new Map<string, GraphRecord>();
  const addUser = (
    userPrincipalName: string,
    parts: { displayName: string; mail: string; department: string | null },
  ) => {
    const id = guid(userPrincipalName);
    users.set(id, {
      id,
      userPrincipalName,
      ...parts,
      jobTitle: null,
      accountEnabled: true,
      createdDateTime: '2024-03-01T08:00:00Z',
      lastPasswordChangeDateTime: '2026-09-01T08:00:00Z',
      signInSessionsValidFromDateTime: '2026-09-01T08:00:00Z',
    });
  };
  for (const { name, email, department } of employees) addUser(email, { displayName: name, mail: email, department });
  const guest = { displayName: 'Robin Guest', mail: 'robin@partner.example', department: null };
  addUser(`robin_partner.example#EXT#@${domain}`, guest);
  const memory: GraphMemory = { users, alerts: new Map(), signIns: [], riskyUsers: new Map(), tokens: new Map() };
  for (const [index, [title, severity]] of alertTitles.entries()) {
    const time = new Date(now.getTime() - (60 - index * 20) * 60_000).toISOString();
    addAlert(memory, { id: `da${guid(title).replaceAll('-', '')}_1`, title, severity, lastUpdateDateTime: time });
  }
  for (let index = 0; index < SIGN_INS; index += 1) {
    const employee = employees[index % employees.length] ?? employees[0];
    memory.signIns.push({
      id: guid(`sign-in ${index}`),
      createdDateTime: new Date(now.getTime() - (SIGN_INS - index) * 60_000).toISOString(),
      userDisplayName: employee.name,
      userPrincipalName: employee.email,
      userId: guid(employee.email),
      appDisplayName: 'Office 365 Exchange Online',
      ipAddress: employee.homeAddress,
      clientAppUsed: 'Browser',
      isInteractive: true,
      riskLevelAggregated: 'none',
      status: {
        errorCode: index % 9 === 0 ? 50126 : 0,
        failureReason: index % 9 === 0 ? 'Invalid username or password.' : null,
      },
      location: { city: 'Hometown', state: null, countryOrRegion: 'DE' },
    });
  }
  const [, atRisk] = employees;
  if (atRisk !== undefined) addRisk(memory, { id: guid(atRisk.email), riskLevel: 'medium', riskState: 'atRisk' }, now);
  return memory;
}

export function addRisk(
  memory: GraphMemory,
  risk: { id: string; riskLevel: string; riskState: string },
  now: Date,
): void {
  const user = memory.users.get(risk.id);
  memory.riskyUsers.set(risk.id, {
    ...risk,
    riskDetail: risk.riskState === 'confirmedCompromised' ? 'adminConfirmedUserCompromised' : 'none',
    riskLastUpdatedDateTime: now.toISOString(),
    isDeleted: false,
    userDisplayName: user?.displayName ?? null,
    userPrincipalName: user?.userPrincipalName ?? null,
  });
}

/** An alert with all fields of its type; what is given goes over the defaults. */
export function addAlert(memory: GraphMemory, given: GraphRecord & { id: string }): void {
  const time = given.lastUpdateDateTime;
  memory.alerts.set(given.id, {
    '@odata.type': '#microsoft.graph.security.alert',
    providerAlertId: given.id,
    incidentId: '17',
    status: 'new',
    severity: 'medium',
    classification: null,
    determination: null,
    serviceSource: 'microsoftDefenderForEndpoint',
    detectionSource: 'antivirus',
    productName: 'Microsoft Defender for Endpoint',
    detectorId: guid('detector'),
    tenantId: SANDBOX_TENANT,
    title: 'Suspicious activity',
    description: 'Something that does not usually happen on this device.',
    recommendedActions: 'Look at what ran before.',
    category: 'Execution',
    assignedTo: null,
    alertWebUrl: `https://security.example/alerts/${given.id}`,
    incidentWebUrl: 'https://security.example/incidents/17',
    actorDisplayName: null,
    threatDisplayName: null,
    threatFamilyName: null,
    mitreTechniques: ['T1059.001'],
    createdDateTime: time,
    resolvedDateTime: null,
    firstActivityDateTime: time,
    lastActivityDateTime: time,
    comments: [],
    evidence: [
      { '@odata.type': '#microsoft.graph.security.ipEvidence', ipAddress: '203.0.113.7', verdict: 'suspicious' },
    ],
    systemTags: [],
    ...memory.alerts.get(given.id),
    ...given,
  });
}

/** By object id or user principal name. */
export function findGraphUser(memory: GraphMemory, idOrName: string): GraphRecord | undefined {
  const wanted = idOrName.toLowerCase();
  return (
    memory.users.get(wanted) ??
    [...memory.users.values()].find((user) => String(user.userPrincipalName).toLowerCase() === wanted)
  );
}

export function guid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const alertTitles = [
  ['Suspicious PowerShell command line', 'medium'],
  ['Impossible travel activity', 'high'],
  ['Unfamiliar sign-in properties', 'low'],
] as const;
