import type { Employee } from '../company.ts';
import type { Random } from '../random.ts';
import type { RawRecord } from '../raw-record.ts';

export type OktaSignIn = {
  readonly time: number;
  readonly random: Random;
  readonly employee: Employee;
  readonly address: string;
  readonly result: 'SUCCESS' | 'FAILURE';
  /** As Okta words it: `INVALID_CREDENTIALS`, `LOCKED_OUT`. */
  readonly reason?: string;
  readonly userAgent?: string;
};

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** A `user.session.start` LogEvent of Okta's System Log. */
export function oktaSignIn({
  time,
  random,
  employee,
  address,
  result,
  reason,
  userAgent = BROWSER,
}: OktaSignIn): RawRecord {
  const failed = result === 'FAILURE';
  const outcome = { result, reason: failed ? (reason ?? 'INVALID_CREDENTIALS') : null };
  const geographicalContext = placeOf(address);
  const event = {
    uuid: random.uuid(),
    published: new Date(time).toISOString(),
    eventType: 'user.session.start',
    version: '0',
    severity: failed ? 'WARN' : 'INFO',
    legacyEventType: failed ? 'core.user_auth.login_failed' : 'core.user_auth.login_success',
    displayMessage: 'User login to Okta',
    actor: {
      id: `00u${accountId(employee.account)}`,
      type: 'User',
      alternateId: employee.email,
      displayName: employee.name,
      detailEntry: null,
    },
    client: {
      userAgent: { rawUserAgent: userAgent, os: 'Windows 10', browser: 'CHROME' },
      zone: 'null',
      device: 'Computer',
      id: null,
      ipAddress: address,
      geographicalContext,
    },
    outcome,
    target: null,
    transaction: { type: 'WEB', id: random.hex(26), detail: {} },
    debugContext: { debugData: { requestId: random.hex(26), requestUri: '/api/v1/authn', url: '/api/v1/authn?' } },
    authenticationContext: {
      authenticationProvider: null,
      credentialProvider: null,
      credentialType: null,
      issuer: null,
      interface: null,
      authenticationStep: 0,
      externalSessionId: random.hex(25),
    },
    securityContext: {
      asNumber: 64_500,
      asOrg: 'example network',
      isp: 'example network',
      domain: 'cable.example',
      isProxy: false,
    },
    request: { ipChain: [{ ip: address, geographicalContext, version: 'V4', source: null }] },
  };
  return { time, transport: 'http', product: 'okta', line: JSON.stringify(event) };
}

function placeOf(address: string) {
  const outside = address.startsWith('203.0.113.');
  return {
    city: outside ? 'Elsewhere' : 'Hometown',
    state: null,
    country: outside ? 'Netherlands' : 'Germany',
    postalCode: null,
    geolocation: outside ? { lat: 52.4, lon: 4.9 } : { lat: 50.1, lon: 8.7 },
  };
}

/** Letters and digits like Okta's own ids, always the same for the same account. */
function accountId(account: string): string {
  return Buffer.from(account, 'utf8').toString('hex').padEnd(17, '0').slice(0, 17);
}
