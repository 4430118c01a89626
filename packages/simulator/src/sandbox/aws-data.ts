import { randomBytes } from 'node:crypto';
import type { KnownKey } from './aws-signature.ts';

/** The access key id that AWS's own documentation uses; the vendor's key is its secret. */
export const AWS_ACCESS_KEY_ID = 'AKIAIOSFODNN7EXAMPLE';
export const AWS_ACCOUNT = '123456789012';
export const AWS_ROLE = `arn:aws:iam::${AWS_ACCOUNT}:role/AIRdeck`;
export const AWS_EXTERNAL_ID = 'airdeck-sandbox';
export const DETECTOR = '12abc34d567e8fa901bc2d34e56789f0';

export type IamKey = { readonly id: string; status: string; readonly createdAt: string };

export type IamUser = {
  readonly name: string;
  readonly id: string;
  readonly createdAt: string;
  readonly keys: IamKey[];
  readonly policies: Set<string>;
  hasPassword: boolean;
};

export type Finding = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly severity: number;
  readonly updatedAt: string;
  readonly service: { archived: boolean; readonly [field: string]: unknown };
};

export type TrailEvent = {
  readonly EventId: string;
  readonly EventName: string;
  readonly EventSource: string;
  readonly EventTime: number;
  readonly Username: string;
  readonly AccessKeyId: string;
  readonly ReadOnly: string;
  readonly Resources: readonly { readonly ResourceType: string; readonly ResourceName: string }[];
  readonly CloudTrailEvent: string;
};

export type AwsMemory = {
  readonly users: Map<string, IamUser>;
  readonly findings: Map<string, Finding>;
  readonly trail: TrailEvent[];
  /** By access key id. */
  readonly sessions: Map<string, KnownKey>;
  /** Raised to make every page token given so far worthless. */
  pageGeneration: number;
};

const CREATED = '2026-01-15T08:00:00Z';
const HISTORY_MINUTES = 30;

export function createAwsMemory(now: Date): AwsMemory {
  const memory: AwsMemory = {
    users: new Map(),
    findings: new Map(),
    trail: [],
    sessions: new Map(),
    pageGeneration: 0,
  };
  addUser(memory, 'deploy-bot', { keys: ['AKIAI44QH8DHBEXAMPLE', 'AKIAI55QH8DHBEXAMPLE'], hasPassword: false });
  addUser(memory, 'ada.abend', { keys: ['AKIAI66QH8DHBEXAMPLE'], hasPassword: true });
  for (let minute = HISTORY_MINUTES; minute > 0; minute -= 1) {
    const time = new Date(now.getTime() - minute * 60_000);
    addTrailEvent(memory, {
      EventName: minute % 3 === 0 ? 'ConsoleLogin' : 'DescribeInstances',
      time: time.toISOString(),
    });
  }
  for (const minute of [25, 10])
    addFinding(memory, { updatedAt: new Date(now.getTime() - minute * 60_000).toISOString() });
  return memory;
}

function addUser(memory: AwsMemory, name: string, parts: { keys: readonly string[]; hasPassword: boolean }): void {
  memory.users.set(name, {
    name,
    id: `AIDASANDBOX${String(memory.users.size).padStart(9, '0')}`,
    createdAt: CREATED,
    keys: parts.keys.map((id) => ({ id, status: 'Active', createdAt: CREATED })),
    policies: new Set(),
    hasPassword: parts.hasPassword,
  });
}

/** What a test or a trainer wants to have been found; everything that is left out has a value. */
export function addFinding(memory: AwsMemory, parts: Readonly<Record<string, unknown>>): void {
  const id = typeof parts.id === 'string' ? parts.id : `f${String(memory.findings.size).padStart(31, '0')}`;
  const updatedAt = String(parts.updatedAt);
  memory.findings.set(id, {
    schemaVersion: '2.0',
    accountId: AWS_ACCOUNT,
    region: 'eu-central-1',
    partition: 'aws',
    id,
    arn: `arn:aws:guardduty:eu-central-1:${AWS_ACCOUNT}:detector/${DETECTOR}/finding/${id}`,
    type: typeof parts.type === 'string' ? parts.type : 'UnauthorizedAccess:IAMUser/ConsoleLoginSuccess.B',
    title: 'Sign-ins from several places in the world',
    description: 'The user ada.abend signed in from places far from each other.',
    severity: typeof parts.severity === 'number' ? parts.severity : 5,
    confidence: 0,
    createdAt: updatedAt,
    updatedAt,
    resource: {
      resourceType: 'AccessKey',
      accessKeyDetails: {
        accessKeyId: 'AKIAI66QH8DHBEXAMPLE',
        principalId: 'AIDASANDBOX000000001',
        userName: 'ada.abend',
        userType: 'IAMUser',
      },
    },
    service: {
      serviceName: 'guardduty',
      detectorId: DETECTOR,
      archived: parts.archived === true,
      count: 2,
      eventFirstSeen: updatedAt,
      eventLastSeen: updatedAt,
      resourceRole: 'TARGET',
    },
  });
}

export function addTrailEvent(memory: AwsMemory, parts: Readonly<Record<string, unknown>>): void {
  const id =
    typeof parts.EventId === 'string'
      ? parts.EventId
      : `00000000-0000-4000-8000-${String(memory.trail.length).padStart(12, '0')}`;
  const name = typeof parts.EventName === 'string' ? parts.EventName : 'ConsoleLogin';
  const user = typeof parts.Username === 'string' ? parts.Username : 'ada.abend';
  const timeMs = Math.floor(Date.parse(String(parts.time)) / 1000) * 1000;
  const source = name === 'ConsoleLogin' ? 'signin.amazonaws.com' : 'ec2.amazonaws.com';
  const event = {
    eventVersion: '1.11',
    userIdentity: { type: 'IAMUser', accountId: AWS_ACCOUNT, userName: user },
    eventTime: new Date(timeMs).toISOString().replace('.000Z', 'Z'),
    eventSource: source,
    eventName: name,
    awsRegion: 'eu-central-1',
    sourceIPAddress: '203.0.113.7',
    eventID: id,
    readOnly: name.startsWith('Describe'),
    eventType: 'AwsApiCall',
    recipientAccountId: AWS_ACCOUNT,
  };
  memory.trail.push({
    EventId: id,
    EventName: name,
    EventSource: source,
    EventTime: timeMs / 1000,
    Username: user,
    AccessKeyId: 'AKIAI66QH8DHBEXAMPLE',
    ReadOnly: String(event.readOnly),
    Resources: [],
    CloudTrailEvent: typeof parts.CloudTrailEvent === 'string' ? parts.CloudTrailEvent : JSON.stringify(event),
  });
}

const SESSION_MS = 3_600_000;

export function openSession(memory: AwsMemory, now: Date): { id: string; key: Required<KnownKey> } {
  const id = `ASIA${randomBytes(8).toString('hex').toUpperCase()}`;
  const key = {
    secret: randomBytes(30).toString('base64'),
    token: randomBytes(120).toString('base64'),
    expiresMs: now.getTime() + SESSION_MS,
  };
  memory.sessions.set(id, key);
  return { id, key };
}

/** A page token: where to go on, of which search, given in which generation. */
export function pageToken(memory: AwsMemory, search: string, offset: number): string {
  return Buffer.from(JSON.stringify([memory.pageGeneration, search, offset])).toString('base64');
}

/** Undefined for a token that was not given for this search, or expired. */
export function offsetOf(memory: AwsMemory, search: string, token: string): number | undefined {
  if (token === '') return 0;
  try {
    const [generation, ofSearch, offset] = JSON.parse(Buffer.from(token, 'base64').toString()) as unknown[];
    const fits = generation === memory.pageGeneration && ofSearch === search && typeof offset === 'number';
    return fits ? offset : undefined;
  } catch {
    return undefined;
  }
}
