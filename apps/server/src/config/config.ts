import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { PlanTable } from '@airdeck/contracts/marketplace/schema';
import type { DashboardConfig, Stage } from '@airdeck/contracts/system/schema';
import { type ClerkAddress, clerkAddress } from './clerk-address.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { type Environment, environmentSchema, type logLevels, serverRoles } from './environment.ts';
import type { FilesBucket } from './files-bucket.ts';
import { plainAddresses } from './plain-addresses.ts';
import type { ScannerAddress } from './scanner-address.ts';
import type { TracingConfig } from './tracing-variables.ts';

/** Of the door for encrypted syslog; `selfMade` shows a certificate of our own making. */
export type SyslogTls = { readonly port: number } & (
  | { readonly keyFile: string; readonly certFile: string }
  | { readonly selfMade: true }
);

export type Config = {
  readonly stage: Stage;
  readonly role: (typeof serverRoles)[number];
  readonly dataDir: string;
  /** Where the embedded stores are archived continuously; undefined = nowhere. */
  readonly archiveFolder: string | undefined;
  readonly logLevel: (typeof logLevels)[number];
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** The address people type, when it is not the one listened on. */
    readonly publicUrl: string | undefined;
    readonly trustedProxies: readonly string[];
  };
  /** Addresses our own calls leave from, as the operator knows them; empty = read from the machine. */
  readonly egressAddresses: readonly string[];
  /** Private networks of which tenants may name their own; empty = none. */
  readonly tenantNetworks: readonly string[];
  /** Name servers that are asked for the proof of a domain; empty = those of the machine. */
  readonly dnsServers: readonly string[];
  readonly stores: {
    readonly databaseUrl: string | undefined;
    readonly eventsUrl: string | undefined;
    /** Of the ClickHouse servers the events are replicated and spread over. */
    readonly eventsCluster?: string | undefined;
  };
  /** Where files are kept; undefined = in the data folder. */
  readonly filesBucket: FilesBucket | undefined;
  /** Looks at files people upload; they are kept unseen without one. */
  readonly malwareScanner: ScannerAddress | undefined;
  /** Variables that name another machine without TLS; empty where the operator says that the network is trusted. */
  readonly plainAddresses: readonly string[];
  /** Made and kept in the data folder when left out; all machines of one installation need the same one. */
  readonly identitySecret: string | undefined;
  /** Holds the keys of the connectors' secrets; made there when it is missing, except by a role that shares it. */
  readonly connectorKeysFile: string;
  readonly ports: {
    readonly syslogTcp: number;
    readonly syslogUdp: number;
    readonly sandbox: number;
    /** Where Prometheus asks; undefined leaves it closed. */
    readonly metrics: number | undefined;
  };
  /** Where traces are sent; undefined = nothing is followed. */
  readonly tracing: TracingConfig | undefined;
  /** Where the doors for syslog listen: appliances do not come through the proxy that people come through. */
  readonly syslogHost: string;
  /** What senders of syslog are told, where it is not the host of `publicUrl`: a balancer of their own. */
  readonly syslogPublicHost: string | undefined;
  /** Where the metrics listen, which ask for no sign-in. */
  readonly metricsHost: string;
  /** The door for encrypted syslog; undefined leaves it closed. */
  readonly syslogTls: SyslogTls | undefined;
  /** Source by address, for syslog senders that cannot name theirs. The operator's to say: an address is nobody's by itself. */
  readonly syslogSenders: ReadonlyMap<string, string>;
  /** Source by port: doors for syslog, TCP and UDP, that are one source's own. */
  readonly syslogPorts: ReadonlyMap<number, string>;
  /** How much of what syslog senders cannot repeat may wait on disk. */
  readonly syslogSpoolMaxBytes: number;
  /** Events a second that each tenant may send over HTTP to one process; undefined: no limit but what there is room for. */
  readonly eventsPerSecondMax: number | undefined;
  /** Seconds after which a session ends that nobody uses. */
  readonly sessionIdleS: number;
  /** Bounds of what runs, of each tenant. */
  readonly runLimits: {
    /** Cases a policy, or alerts a rule, answers within ten minutes before it is taken for a loop. */
    readonly automationAnswersMax: number;
    readonly openRunsMax: number;
    /** After so many days a run that ended is forgotten. */
    readonly keptDays: number;
  };
  /** Where mails go out; undefined leaves them in the outbox. */
  readonly mailServer:
    | { readonly url: string; readonly from: { readonly name: string; readonly address: string } }
    | undefined;
  /** Issuers people may sign in with besides those of their tenant. */
  readonly signIn: {
    readonly google: OAuthClient | undefined;
    readonly microsoft: (OAuthClient & { readonly directory: string }) | undefined;
    readonly other: (OAuthClient & { readonly issuer: string; readonly label: string }) | undefined;
  };
  /** The publisher's registration at the Azure Marketplace; undefined where nothing is sold there. */
  readonly azureMarketplace: MarketplaceConfig | undefined;
  /** The hosted identity provider, when the publishable key asks for it. */
  readonly clerk: ClerkConfig | undefined;
  /** Demo workspace and simulator. */
  readonly mockData: boolean;
  /** What `/config.json` answers. */
  readonly dashboard: DashboardConfig;
};

export type MarketplaceConfig = {
  /** The publisher's directory, and the application in it that calls the marketplace. */
  readonly directory: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly plans: PlanTable;
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly loginUrl: string;
};

export type ClerkConfig = {
  readonly address: ClerkAddress;
  readonly secretKey: string;
  readonly webhookSecret: string | undefined;
  /** Without a slash at the end. */
  readonly apiUrl: string;
};

type OAuthClient = { readonly clientId: string; readonly clientSecret: string | undefined };

/** Values of these are never repeated, not even to say that they are wrong. */
const secretVariables: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'EVENTS_URL',
  'FILES_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'ERROR_REPORTING_DSN',
  'IDENTITY_SECRET',
  'SMTP_URL',
  'GOOGLE_CLIENT_SECRET',
  'MICROSOFT_CLIENT_SECRET',
  'SSO_CLIENT_SECRET',
  'AZURE_MARKETPLACE_CLIENT_SECRET',
  'CLERK_SECRET_KEY',
  'CLERK_WEBHOOK_SECRET',
]);

/** Variables as they were set, each trimmed; those that are empty are not there. */
type Given = Readonly<Record<string, string>>;

/** Parses the environment once. Throws `ConfigError` with all problems. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  release: string,
  fileExists: (path: string) => boolean = existsSync,
): Config {
  const given: Given = Object.fromEntries(
    Object.keys(environmentSchema.shape).flatMap((name) => {
      const value = env[name];
      return value === undefined || value.trim() === '' ? [] : [[name, value.trim()]];
    }),
  );
  const unusable = unusableOf(given);
  const wrong = new Set(unusable.map(({ variable }) => variable));
  // The others are read as if those were not there, so that one start lists what they are wrong about too.
  const usable = Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name)));
  const values = environmentSchema.parse(usable);
  const problems = [...unusable, ...contradictions(values, given), ...missingShares(given, fileExists)];
  if (problems.length > 0) throw new ConfigError(problems);
  return configOf(values, release);
}

function unusableOf(given: Given): ConfigProblem[] {
  return (environmentSchema.safeParse(given).error?.issues ?? []).map((issue) => {
    const variable = String(issue.path[0]);
    return { variable, message: describe(variable, given[variable], issue.message) };
  });
}

function describe(variable: string, value: string | undefined, expected: string): string {
  if (secretVariables.has(variable)) return `the value given is not usable (not shown); expected ${expected}`;
  return `${JSON.stringify(value ?? '')} is not usable; expected ${expected}`;
}

/** What is set counts as set, also with a value that is not usable. */
function contradictions(values: Environment, given: Given): ConfigProblem[] {
  const problems = halfClients(given);
  if (given.SMTP_URL !== undefined && given.MAIL_FROM === undefined) {
    problems.push({ variable: 'MAIL_FROM', message: 'not set, although SMTP_URL is; mails need a sender' });
  }
  if (values.IDENTITY_PUBLISHABLE_KEY !== 'local' && given.CLERK_SECRET_KEY === undefined) {
    problems.push({
      variable: 'CLERK_SECRET_KEY',
      message: 'not set, although IDENTITY_PUBLISHABLE_KEY asks for Clerk; both are needed',
    });
  }
  if (given.CLERK_SECRET_KEY !== undefined && given.IDENTITY_PUBLISHABLE_KEY === undefined) {
    problems.push({
      variable: 'IDENTITY_PUBLISHABLE_KEY',
      message: 'not set, although CLERK_SECRET_KEY is; expected the key beside it, or local for the built-in sign-in',
    });
  }
  if (values.MOCK_DATA === true && values.TARGET_STAGE === 'prod') {
    problems.push({ variable: 'MOCK_DATA', message: '"true" is not usable at TARGET_STAGE prod; expected false' });
  }
  if (given.EVENTS_CLUSTER !== undefined && given.EVENTS_URL === undefined) {
    problems.push({ variable: 'EVENTS_URL', message: 'not set, although EVENTS_CLUSTER is; both are needed' });
  }
  problems.push(...syslogTlsProblems(values, given), ...archiveProblems(values, given));
  return problems;
}

/** Without its files the door would stay closed, and nobody would be told. Processes without the door may share its port's variable. */
function syslogTlsProblems({ TARGET_STAGE: stage, ROLE: role }: Environment, given: Given): ConfigProblem[] {
  const files = ['SYSLOG_TLS_KEY_FILE', 'SYSLOG_TLS_CERT_FILE'] as const;
  const hasDoor = role === 'all' || role === 'ingest';
  if (given.SYSLOG_TLS_PORT === undefined || stage === 'local' || !hasDoor) return [];
  if (files.some((file) => given[file] !== undefined)) return [];
  const message = `not set, although SYSLOG_TLS_PORT is; TARGET_STAGE ${stage} makes no certificate of its own`;
  return files.map((variable) => ({ variable, message }));
}

/** Stores elsewhere are archived by whoever runs them; an archive in the data folder would be lost with it. */
function archiveProblems({ ARCHIVE_FOLDER: folder, ...values }: Environment, given: Given): ConfigProblem[] {
  if (folder === undefined) return [];
  const variable = 'ARCHIVE_FOLDER';
  const elsewhere = (['DATABASE_URL', 'EVENTS_URL'] as const).find((name) => given[name] !== undefined);
  if (elsewhere !== undefined) {
    return [{ variable, message: `set, although ${elsewhere} is; only stores of the data folder are archived` }];
  }
  const isInside = !relative(resolve(values.AIRDECK_DATA_DIR), resolve(folder)).startsWith('..');
  return isInside ? [{ variable, message: 'inside the data folder; expected a folder on another disk' }] : [];
}

/** Variables that are of use only together. */
const belongTogether = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'],
  ['SSO_ISSUER', 'SSO_CLIENT_ID'],
  ['AZURE_MARKETPLACE_CLIENT_ID', 'AZURE_MARKETPLACE_TENANT_ID'],
  ['AZURE_MARKETPLACE_CLIENT_ID', 'AZURE_MARKETPLACE_CLIENT_SECRET'],
  ['AZURE_MARKETPLACE_CLIENT_ID', 'AZURE_MARKETPLACE_PLANS'],
  ['SYSLOG_TLS_CERT_FILE', 'SYSLOG_TLS_KEY_FILE'],
] as const;

function halfClients(given: Given): ConfigProblem[] {
  return belongTogether.flatMap(([a, b]) => {
    if ((given[a] === undefined) === (given[b] === undefined)) return [];
    const [set, missing] = given[a] === undefined ? [b, a] : [a, b];
    return [{ variable: missing, message: `not set, although ${set} is; both are needed` }];
  });
}

/** The port registered for it (RFC 5425). */
const SYSLOG_TLS_PORT = 6514;

function syslogTlsOf(values: Environment): Config['syslogTls'] {
  const { SYSLOG_TLS_PORT: port, SYSLOG_TLS_KEY_FILE: keyFile, SYSLOG_TLS_CERT_FILE: certFile } = values;
  if (keyFile !== undefined && certFile !== undefined) return { port: port ?? SYSLOG_TLS_PORT, keyFile, certFile };
  // To try it: only where nobody else's machine is meant to trust what we make ourselves.
  return port !== undefined && values.TARGET_STAGE === 'local' ? { port, selfMade: true } : undefined;
}

function tracingOf(values: Environment): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: headers } = values;
  if (url === undefined) return undefined;
  return { url, headers, serviceName: values.OTEL_SERVICE_NAME, share: values.OTEL_TRACES_SAMPLER_ARG };
}

function mailServerOf(values: Environment): Config['mailServer'] {
  const { SMTP_URL: url, MAIL_FROM: from, PRODUCT_NAME: product } = values;
  if (url === undefined || from === undefined) return undefined;
  return { url, from: { ...from, name: from.name === '' ? product : from.name } };
}

function signInOf(values: Environment): Config['signIn'] {
  const client = (clientId: string, clientSecret: string | undefined) => ({ clientId, clientSecret });
  const { GOOGLE_CLIENT_ID: google, MICROSOFT_CLIENT_ID: microsoft, SSO_CLIENT_ID: other, SSO_ISSUER: issuer } = values;
  return {
    google: google === undefined ? undefined : client(google, values.GOOGLE_CLIENT_SECRET),
    microsoft:
      microsoft === undefined
        ? undefined
        : { ...client(microsoft, values.MICROSOFT_CLIENT_SECRET), directory: values.MICROSOFT_TENANT },
    other:
      other === undefined || issuer === undefined
        ? undefined
        : { ...client(other, values.SSO_CLIENT_SECRET), issuer, label: values.SSO_LABEL },
  };
}

function azureMarketplaceOf(values: Environment): Config['azureMarketplace'] {
  const { AZURE_MARKETPLACE_TENANT_ID: directory, AZURE_MARKETPLACE_CLIENT_ID: clientId } = values;
  const { AZURE_MARKETPLACE_CLIENT_SECRET: clientSecret, AZURE_MARKETPLACE_PLANS: plans } = values;
  if (directory === undefined || clientId === undefined || clientSecret === undefined || plans === undefined) {
    return undefined;
  }
  const { AZURE_MARKETPLACE_API_URL: apiUrl, AZURE_MARKETPLACE_LOGIN_URL: loginUrl } = values;
  const bare = (address: string) => address.replace(/\/+$/, '');
  return { directory, clientId, clientSecret, plans, apiUrl: bare(apiUrl), loginUrl: bare(loginUrl) };
}

function clerkOf(values: Environment): Config['clerk'] {
  const address = clerkAddress(values.IDENTITY_PUBLISHABLE_KEY, values.CLERK_FRONTEND_API);
  const { CLERK_SECRET_KEY: secretKey } = values;
  if (address === undefined || secretKey === undefined) return undefined;
  return {
    address,
    secretKey,
    webhookSecret: values.CLERK_WEBHOOK_SECRET,
    apiUrl: values.CLERK_API_URL.replace(/\/+$/, ''),
  };
}

/** What the processes of one installation have in common, and why one alone cannot make it up. */
const shares = {
  DATABASE_URL: 'runs without embedded stores and needs the address of a shared one',
  EVENTS_URL: 'runs without embedded stores and needs the address of a shared one',
  FILES_URL: 'keeps no files of its own and needs a bucket it shares with the other processes',
  IDENTITY_SECRET: 'needs the secret it shares with the other processes',
  CONNECTOR_KEYS_FILE: 'needs the key file it shares with the other processes',
} as const;

/** Only the role that does everything can bring its own stores, files and secrets: several processes would not share them. */
function missingShares(given: Given, fileExists: (path: string) => boolean): ConfigProblem[] {
  const { ROLE: role, CONNECTOR_KEYS_FILE: keysFile } = given;
  if (role === undefined || role === 'all' || !(serverRoles as readonly string[]).includes(role)) return [];
  const missing = Object.entries(shares)
    .filter(([variable]) => given[variable] === undefined)
    .map(([variable, why]) => ({ variable, message: `not set; ROLE ${role} ${why}` }));
  if (keysFile === undefined || fileExists(keysFile)) return missing;
  const message = `there is no file ${JSON.stringify(keysFile)}; ROLE ${role} makes no keys, copy connector-keys.json of the installation there`;
  return [...missing, { variable: 'CONNECTOR_KEYS_FILE', message }];
}

function configOf(values: Environment, release: string): Config {
  const mockData = values.MOCK_DATA ?? values.TARGET_STAGE === 'local';
  const {
    DATABASE_URL: databaseUrl,
    EVENTS_URL: eventsUrl,
    FILES_URL: filesBucket,
    CLAMD_URL: malwareScanner,
  } = values;
  const stores = { databaseUrl, eventsUrl, eventsCluster: values.EVENTS_CLUSTER };
  const tracing = tracingOf(values);
  return {
    stage: values.TARGET_STAGE,
    role: values.ROLE,
    dataDir: values.AIRDECK_DATA_DIR,
    archiveFolder: values.ARCHIVE_FOLDER,
    logLevel: values.LOG_LEVEL,
    http: {
      host: values.HOST,
      port: values.PORT,
      publicUrl: values.PUBLIC_URL,
      trustedProxies: values.TRUSTED_PROXIES,
    },
    egressAddresses: values.EGRESS_ADDRESSES,
    tenantNetworks: values.TENANT_NETWORKS,
    dnsServers: values.DNS_SERVERS,
    stores,
    filesBucket,
    malwareScanner,
    plainAddresses:
      values.TRUSTED_STORE_NETWORK === true ? [] : plainAddresses({ stores, filesBucket, malwareScanner, tracing }),
    identitySecret: values.IDENTITY_SECRET,
    connectorKeysFile: values.CONNECTOR_KEYS_FILE ?? join(values.AIRDECK_DATA_DIR, 'connector-keys.json'),
    ports: {
      syslogTcp: values.SYSLOG_TCP_PORT,
      syslogUdp: values.SYSLOG_UDP_PORT,
      sandbox: values.SANDBOX_PORT,
      metrics: values.METRICS_PORT,
    },
    tracing,
    syslogHost: values.SYSLOG_HOST ?? values.HOST,
    syslogPublicHost: values.SYSLOG_PUBLIC_HOST,
    metricsHost: values.METRICS_HOST,
    syslogTls: syslogTlsOf(values),
    syslogSenders: values.SYSLOG_SENDERS,
    syslogPorts: values.SYSLOG_PORTS,
    syslogSpoolMaxBytes: values.SYSLOG_SPOOL_MAX_MB * 1_048_576,
    runLimits: {
      automationAnswersMax: values.AUTOMATION_ANSWERS_MAX,
      openRunsMax: values.OPEN_RUNS_MAX,
      keptDays: values.RUNS_KEPT_DAYS,
    },
    eventsPerSecondMax: values.EVENTS_PER_S_MAX,
    sessionIdleS: values.SESSION_IDLE_MINUTES * 60,
    mailServer: mailServerOf(values),
    signIn: signInOf(values),
    azureMarketplace: azureMarketplaceOf(values),
    clerk: clerkOf(values),
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
