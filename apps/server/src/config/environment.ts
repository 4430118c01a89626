import { stages } from '@airdeck/contracts/system/schema';
import { z } from 'zod';

export const serverRoles = ['all', 'api', 'worker', 'ingest'] as const;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

const LARGEST_PORT = 65_535;

function port(fallback: number) {
  return z
    .string()
    .default(String(fallback))
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= LARGEST_PORT, 'a whole number from 0 to 65535')
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

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, values.join(', ').replace(/, ([^,]*)$/, ' or $1'));
}

function text(expected: string, max = 200) {
  return z
    .string()
    .trim()
    .refine((value) => value.length > 0 && value.length <= max, expected);
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
  PORT: port(4000),
  HOST: text('an address or host name to listen on').default('127.0.0.1'),
  PUBLIC_URL: url(['http:', 'https:'], 'https://air.example.com').optional(),
  TRUSTED_PROXIES: addressList,
  AIRDECK_DATA_DIR: text('a folder', 4096).default('./data'),
  ROLE: oneOf(serverRoles).default('all'),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'postgresql://user:password@host:5432/airdeck').optional(),
  EVENTS_URL: url(['http:', 'https:'], 'https://user:password@host:8443/airdeck').optional(),
  IDENTITY_SECRET: z
    .string()
    .refine((value) => value.length >= 32, 'at least 32 random characters')
    .optional(),
  SYSLOG_TCP_PORT: port(5514),
  SYSLOG_UDP_PORT: port(5514),
  SANDBOX_PORT: port(4010),
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
    .refine((value) => /^(local|pk_(test|live)_[A-Za-z0-9_=-]+)$/.test(value), 'local or a key such as pk_test_…'),
  PRODUCT_NAME: text('a name of up to 40 characters', 40).default('AIRdeck'),
  PRODUCT_SHORT_NAME: text('a name of up to 12 characters', 12).default('AIR'),
  LOG_LEVEL: oneOf(logLevels).default('info'),
});

export type Environment = z.output<typeof environmentSchema>;
