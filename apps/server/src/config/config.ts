import type { DashboardConfig, Stage } from '@airdeck/contracts/system/schema';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { type Environment, environmentSchema, type logLevels, serverRoles } from './environment.ts';

export type Config = {
  readonly stage: Stage;
  readonly role: (typeof serverRoles)[number];
  readonly dataDir: string;
  readonly logLevel: (typeof logLevels)[number];
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** The address people type, when it is not the one listened on. */
    readonly publicUrl: string | undefined;
    readonly trustedProxies: readonly string[];
  };
  readonly stores: { readonly databaseUrl: string | undefined; readonly eventsUrl: string | undefined };
  /** Made and kept in the data folder when left out; all machines of one installation need the same one. */
  readonly identitySecret: string | undefined;
  readonly ports: {
    readonly syslogTcp: number;
    readonly syslogUdp: number;
    readonly sandbox: number;
  };
  /** Demo workspace and simulator. */
  readonly mockData: boolean;
  /** What `/config.json` answers. */
  readonly dashboard: DashboardConfig;
};

/** Values of these are never repeated, not even to say that they are wrong. */
const secretVariables: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'EVENTS_URL',
  'ERROR_REPORTING_DSN',
  'IDENTITY_SECRET',
]);

/** Parses the environment once. Throws `ConfigError` with all problems. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, release: string): Config {
  const given = Object.fromEntries(
    Object.keys(environmentSchema.shape).flatMap((name) => {
      const value = env[name];
      return value === undefined || value.trim() === '' ? [] : [[name, value.trim()]];
    }),
  );
  const parsed = environmentSchema.safeParse(given);
  const problems: ConfigProblem[] = parsed.success
    ? contradictions(parsed.data)
    : parsed.error.issues.map((issue) => {
        const variable = String(issue.path[0]);
        return { variable, message: describe(variable, given[variable], issue.message) };
      });
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError([...problems, ...(parsed.success ? [] : missingStores(given))]);
  }
  return configOf(parsed.data, release);
}

function describe(variable: string, value: string | undefined, expected: string): string {
  if (secretVariables.has(variable)) return `the value given is not usable (not shown); expected ${expected}`;
  return `${JSON.stringify(value ?? '')} is not usable; expected ${expected}`;
}

function contradictions(values: Environment): ConfigProblem[] {
  const problems = missingStores(values);
  if (values.MOCK_DATA === true && values.TARGET_STAGE === 'prod') {
    problems.push({ variable: 'MOCK_DATA', message: '"true" is not usable at TARGET_STAGE prod; expected false' });
  }
  return problems;
}

/** Only the role that does everything can bring its own stores (several machines would not share them). */
function missingStores(values: {
  readonly ROLE?: string | undefined;
  readonly DATABASE_URL?: string | undefined;
  readonly EVENTS_URL?: string | undefined;
}): ConfigProblem[] {
  const { ROLE: role } = values;
  if (role === undefined || role === 'all' || !(serverRoles as readonly string[]).includes(role)) return [];
  return (['DATABASE_URL', 'EVENTS_URL'] as const)
    .filter((variable) => values[variable] === undefined)
    .map((variable) => ({
      variable,
      message: `not set; ROLE ${role} runs without embedded stores and needs the address of a shared one`,
    }));
}

function configOf(values: Environment, release: string): Config {
  const mockData = values.MOCK_DATA ?? values.TARGET_STAGE === 'local';
  return {
    stage: values.TARGET_STAGE,
    role: values.ROLE,
    dataDir: values.AIRDECK_DATA_DIR,
    logLevel: values.LOG_LEVEL,
    http: {
      host: values.HOST,
      port: values.PORT,
      publicUrl: values.PUBLIC_URL,
      trustedProxies: values.TRUSTED_PROXIES,
    },
    stores: { databaseUrl: values.DATABASE_URL, eventsUrl: values.EVENTS_URL },
    identitySecret: values.IDENTITY_SECRET,
    ports: {
      syslogTcp: values.SYSLOG_TCP_PORT,
      syslogUdp: values.SYSLOG_UDP_PORT,
      sandbox: values.SANDBOX_PORT,
    },
    mockData,
    dashboard: {
      api_base_url: values.API_BASE_URL,
      error_reporting_dsn: values.ERROR_REPORTING_DSN,
      analytics_key: values.ANALYTICS_KEY,
      analytics_host: values.ANALYTICS_HOST,
      identity_publishable_key: values.IDENTITY_PUBLISHABLE_KEY,
      target_stage: values.TARGET_STAGE,
      mock_data: mockData,
      product_name: values.PRODUCT_NAME,
      product_short_name: values.PRODUCT_SHORT_NAME,
      release,
    },
  };
}
