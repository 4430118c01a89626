import { isIP } from 'node:net';
import { ownNetworkOf } from '@airdeck/connector-kit/own-networks';
import { idSchema } from '@airdeck/contracts/fields';
import { planTableSchema } from '@airdeck/contracts/marketplace/schema';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { stages } from '@airdeck/contracts/system/schema';
import { z } from 'zod';
import { clerkHost } from './clerk-address.ts';
import { FILES_URL_EXAMPLE, filesBucketOf } from './files-bucket.ts';
import { CLAMD_URL_EXAMPLE, scannerAddressOf } from './scanner-address.ts';
import { exportHeadersOf, tracesUrlOf } from './tracing-variables.ts';

export const serverRoles = ['all', 'api', 'worker', 'ingest'] as const;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const LARGEST_PORT = 65_535;

function port() {
  return z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= LARGEST_PORT, 'a whole number from 0 to 65535')
    .transform(Number);
}

function portOr(fallback: number) {
  return z.string().default(String(fallback)).pipe(port());
}

function countOr(fallback: number) {
  return z
    .string()
    .default(String(fallback))
    .refine((text) => /^[1-9]\d{0,6}$/.test(text), 'a whole number from 1 to 9999999')
    .transform(Number);
}

function flag(fallback?: boolean) {
  const words = z.enum(['true', 'false'], 'true or false').transform((word) => word === 'true');
  return fallback === undefined ? words.optional() : words.default(fallback);
}

function url(protocols: readonly string[], example: string) {
  const expected = `an address such as ${example}`;
  return z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), expected);
}

/** Unencrypted only on this machine: what comes from there decides who is let in. */
function secureUrl(example: string) {
  const isLocal = (text: string) => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(text).hostname);
  return url(['https:', 'http:'], example).refine(
    (text) => !URL.canParse(text) || new URL(text).protocol === 'https:' || isLocal(text),
    `an address such as ${example}`,
  );
}

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, values.join(', ').replace(/, ([^,]*)$/, ' or $1'));
}

function text(expected: string, max = 200) {
  return z
    .string()
    .trim()
    .refine((value) => value.length > 0 && value.length <= max, expected);
}

/** `address=source`, several with commas: whose lines those of a sender are that cannot name its source itself. */
const syslogSenders = z
  .string()
  .default('')
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== '').map((entry) => entry.split('=')))
  .refine(
    (pairs) =>
      pairs.every(
        ([address = '', source = '', rest]) =>
          isIP(address) !== 0 && idSchema.safeParse(source).success && rest === undefined,
      ),
    'pairs such as 192.0.2.1=<id of an event source>, with commas between them',
  )
  .transform((pairs) => new Map(pairs.map(([address = '', source = '']) => [address, source])));

/** `port=source`, several with commas: doors for syslog that are one source's own. */
const syslogPorts = z
  .string()
  .default('')
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== '').map((entry) => entry.split('=')))
  .refine(
    (pairs) =>
      pairs.every(
        ([place = '', source = '', rest]) =>
          /^[1-9]\d{0,4}$/.test(place) &&
          Number(place) <= LARGEST_PORT &&
          idSchema.safeParse(source).success &&
          rest === undefined,
      ) && new Set(pairs.map(([place]) => place)).size === pairs.length,
    'pairs such as 5601=<id of an event source>, each port once, with commas between them',
  )
  .transform((pairs) => new Map(pairs.map(([place = '', source = '']) => [Number(place), source])));

/** Addresses of name servers, each with its port if it is not the usual one; as `node:dns` takes them. */
const nameServers = z
  .string()
  .default('')
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ''))
  .refine((entries) => entries.every(isNameServer), 'addresses such as 192.0.2.53 or 192.0.2.53:5353, with commas');

function isNameServer(text: string): boolean {
  const [, six, four, place] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text) ?? [];
  return isIP(six ?? four ?? text) !== 0 && Number(place ?? 53) <= LARGEST_PORT && Number(place ?? 53) > 0;
}

/** Address or network, as a reverse proxy's administrator writes it. */
const addressList = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .refine(
    (list) => list.every((entry) => z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).safeParse(entry).success),
    'a comma-separated list of addresses or networks such as 10.0.0.0/8',
  );

/** Only private space: everything else is public anyway, or never to be reached. */
const networkList = addressList.transform((list, context) =>
  list.map((entry) => {
    const network = ownNetworkOf(entry);
    if (network === undefined)
      context.addIssue({ code: 'custom', message: 'a comma-separated list of private networks such as 10.0.0.0/8' });
    return network ?? entry;
  }),
);

/** An address, or a name and an address in angle brackets. */
const mailAddress = z
  .string()
  .transform((value) => {
    const [, name = '', address = value] = /^([^<>\p{Cc}]{0,100})<([^<>]+)>$/u.exec(value) ?? [];
    return { name: name.trim(), address: address.trim() };
  })
  .refine(
    ({ address }) => z.email().max(254).safeParse(address).success,
    'an address such as AIRdeck <no-reply@example.com>',
  );

const directoryId = z
  .string()
  .transform((value) => value.toLowerCase())
  .refine((value) => idSchema.safeParse(value).success, 'an id such as 2c1f9a4e-5b7d-4f6a-8e3c-0d9b1a2c3d4e');

/** What each plan of the offer opens, by its id at the marketplace. */
const planTable = z
  .string()
  .transform((value): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      return undefined;
    }
  })
  .refine((value) => planTableSchema.safeParse(value).success, 'JSON of plan ids and what each opens (sku_info)')
  .transform((value) => planTableSchema.parse(value));

const filesAddress = z.string().transform((value, context) => {
  const bucket = filesBucketOf(value);
  if (bucket === undefined) context.addIssue({ code: 'custom', message: `an address such as ${FILES_URL_EXAMPLE}` });
  return bucket ?? z.NEVER;
});

const scannerAddress = z.string().transform((value, context) => {
  const address = scannerAddressOf(value);
  if (address === undefined) context.addIssue({ code: 'custom', message: `an address such as ${CLAMD_URL_EXAMPLE}` });
  return address ?? z.NEVER;
});

const collectorAddress = z.string().transform((value, context) => {
  const url = tracesUrlOf(value);
  if (url === undefined) {
    context.addIssue({
      code: 'custom',
      message: 'an address such as http://collector:4318, without a name, password or query',
    });
  }
  return url ?? z.NEVER;
});

const collectorHeaders = z
  .string()
  .default('')
  .transform((value, context) => {
    const headers = exportHeadersOf(value);
    if (headers === undefined)
      context.addIssue({ code: 'custom', message: 'pairs such as api-key=secret, with commas' });
    return headers ?? z.NEVER;
  });

/** `/` for the same origin, otherwise an absolute address (spec §5). */
const baseUrl = z
  .string()
  .default('/')
  .refine(
    (value) => value === '/' || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)),
    '/ or an address such as https://api.example.com/',
  );

/**
 * Every variable the server reads. Each message completes the sentence "expected …". An empty variable counts as one
 * that is not set, because that is how compose files and shells spell it.
 */
export const environmentSchema = z.object({
  PORT: portOr(4000),
  HOST: text('an address or host name to listen on').default('127.0.0.1'),
  METRICS_PORT: port().optional(),
  METRICS_HOST: text('an address or host name to listen on').default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorAddress.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: collectorHeaders,
  OTEL_SERVICE_NAME: text('a name of up to 100 characters', 100).default('airdeck'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .default('1')
    .refine((value) => /^(?:0?\.\d{1,9}|0|1(?:\.0{1,9})?)$/.test(value), 'a number from 0 to 1 such as 0.1')
    .transform(Number),
  PUBLIC_URL: url(['http:', 'https:'], 'https://air.example.com').optional(),
  TRUSTED_PROXIES: addressList,
  EGRESS_ADDRESSES: addressList,
  TENANT_NETWORKS: networkList,
  DNS_SERVERS: nameServers,
  AIRDECK_DATA_DIR: text('a folder', 4096).default('./data'),
  ARCHIVE_FOLDER: text('a folder on another disk', 4096).optional(),
  ROLE: oneOf(serverRoles).default('all'),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'postgresql://user:password@host:5432/airdeck').optional(),
  EVENTS_URL: url(['http:', 'https:'], 'https://user:password@host:8443/airdeck').optional(),
  EVENTS_CLUSTER: z
    .string()
    .refine((value) => /^[A-Za-z_][A-Za-z0-9_]{0,99}$/.test(value), 'the name of a cluster, of letters, digits and _')
    .optional(),
  FILES_URL: filesAddress.optional(),
  CLAMD_URL: scannerAddress.optional(),
  TRUSTED_STORE_NETWORK: flag(),
  CONNECTOR_KEYS_FILE: text('the path of a key file', 4096).optional(),
  IDENTITY_SECRET: z
    .string()
    .refine((value) => value.length >= 32, 'at least 32 random characters')
    .optional(),
  GOOGLE_CLIENT_ID: text('a client id', 300).optional(),
  GOOGLE_CLIENT_SECRET: text('a client secret', 1000).optional(),
  MICROSOFT_CLIENT_ID: text('a client id', 300).optional(),
  MICROSOFT_CLIENT_SECRET: text('a client secret', 1000).optional(),
  MICROSOFT_TENANT: z
    .string()
    .default('common')
    .refine((value) => /^[A-Za-z0-9.-]{1,100}$/.test(value), 'common, organizations or the id of a directory'),
  SSO_ISSUER: url(['http:', 'https:'], 'https://login.example.com').optional(),
  SSO_CLIENT_ID: text('a client id', 300).optional(),
  SSO_CLIENT_SECRET: text('a client secret', 1000).optional(),
  SSO_LABEL: text('a name of up to 60 characters', 60).default('Single sign-on'),
  AZURE_MARKETPLACE_TENANT_ID: directoryId.optional(),
  AZURE_MARKETPLACE_CLIENT_ID: directoryId.optional(),
  AZURE_MARKETPLACE_CLIENT_SECRET: text('a client secret', 1000).optional(),
  AZURE_MARKETPLACE_PLANS: planTable.optional(),
  AZURE_MARKETPLACE_API_URL: url(['https:', 'http:'], 'https://marketplaceapi.microsoft.com/api').default(
    'https://marketplaceapi.microsoft.com/api',
  ),
  AZURE_MARKETPLACE_LOGIN_URL: url(['https:', 'http:'], 'https://login.microsoftonline.com').default(
    'https://login.microsoftonline.com',
  ),
  CLERK_SECRET_KEY: z
    .string()
    .refine((value) => /^sk_(test|live)_[A-Za-z0-9_-]{1,500}$/.test(value), 'a key such as sk_test_…')
    .optional(),
  CLERK_WEBHOOK_SECRET: z
    .string()
    .refine((value) => /^whsec_[A-Za-z0-9+/]{32,500}={0,2}$/.test(value), 'a secret such as whsec_…')
    .optional(),
  CLERK_API_URL: secureUrl('https://api.clerk.com/v1').default('https://api.clerk.com/v1'),
  CLERK_FRONTEND_API: secureUrl('https://clerk.example.com').optional(),
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtp://user:password@mail.example.com:587').optional(),
  MAIL_FROM: mailAddress.optional(),
  SYSLOG_HOST: text('an address or host name to listen on').optional(),
  SYSLOG_PUBLIC_HOST: z
    .string()
    .refine(
      (value) => isIP(value) !== 0 || (value.length <= 253 && /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/.test(value)),
      'a host name or an address such as logs.example.com',
    )
    .optional(),
  SYSLOG_TCP_PORT: portOr(5514),
  SYSLOG_UDP_PORT: portOr(5514),
  SYSLOG_TLS_PORT: port().optional(),
  SYSLOG_TLS_KEY_FILE: text('the path of a PEM file', 1000).optional(),
  SYSLOG_TLS_CERT_FILE: text('the path of a PEM file', 1000).optional(),
  SYSLOG_SENDERS: syslogSenders,
  SYSLOG_PORTS: syslogPorts,
  SYSLOG_SPOOL_MAX_MB: z
    .string()
    .default('1024')
    .refine((value) => /^\d{1,7}$/.test(value) && Number(value) >= 16, 'a whole number from 16')
    .transform(Number),
  AUTOMATION_ANSWERS_MAX: countOr(serverLimits.automationAnswersMax),
  OPEN_RUNS_MAX: countOr(serverLimits.openRunsMax),
  RUNS_KEPT_DAYS: z
    .string()
    .default(String(serverLimits.runsKeptDays))
    // Reports of a month compare it with the one before.
    .refine((value) => /^\d{1,4}$/.test(value) && Number(value) >= 92, 'a whole number from 92 to 9999')
    .transform(Number),
  EVENTS_PER_S_MAX: z
    .string()
    .refine((value) => /^[1-9]\d{0,6}$/.test(value), 'a whole number from 1')
    .transform(Number)
    .optional(),
  SESSION_IDLE_MINUTES: z
    .string()
    .default('30')
    .refine(
      (value) => /^\d{1,3}$/.test(value) && Number(value) >= 5 && Number(value) <= 720,
      'a whole number from 5 to 720',
    )
    .transform(Number),
  SANDBOX_PORT: portOr(4010),
  TARGET_STAGE: oneOf(stages).default('local'),
  MOCK_DATA: flag(),
  API_BASE_URL: baseUrl,
  ERROR_REPORTING_DSN: z
    .string()
    .default('')
    .refine((value) => value === '' || URL.canParse(value), 'empty or an address'),
  ANALYTICS_KEY: text('a key').default('local'),
  ANALYTICS_HOST: z
    .string()
    .default('/')
    .refine((value) => value.startsWith('/') || URL.canParse(value), 'a path such as /analytics or an address'),
  IDENTITY_PUBLISHABLE_KEY: z
    .string()
    .default('local')
    .refine((value) => value === 'local' || clerkHost(value) !== undefined, 'local or a key such as pk_test_…'),
  PRODUCT_NAME: text('a name of up to 40 characters', 40).default('AIRdeck'),
  PRODUCT_SHORT_NAME: text('a name of up to 12 characters', 12).default('AIR'),
  LOG_LEVEL: oneOf(logLevels).default('info'),
});

export type Environment = z.output<typeof environmentSchema>;
