/** The server program: configuration, stores, composition, listening, and a clean end. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { KeyProvider } from '@airdeck/connector-kit/secrets';
import { type Logger, pino } from 'pino';
import { type Composition, compose } from '../compose.ts';
import type { Config } from '../config/config.ts';
import { processConfig } from '../config/process-config.ts';
import { callLimits } from '../http/call-limits.ts';
import { openKeyFile } from '../modules/connectors/key-file.ts';
import { demoConnections } from '../modules/demo/demo-connections.ts';
import { startDemoFeed } from '../modules/demo/demo-feed.ts';
import type { DemoFile } from '../modules/demo/demo-file.ts';
import { writeDemoHistory } from '../modules/demo/demo-history.ts';
import { type DemoModule, startDemo } from '../modules/demo/demo-module.ts';
import { createMalwareScanner } from '../modules/files/malware-scanner.ts';
import { identitySecret } from '../modules/identity/identity-secret.ts';
import { LOCAL_ISSUER } from '../modules/identity/sign-in-provider.ts';
import { openMetricsDoor } from '../modules/operations/metrics-door.ts';
import { claimInstallation } from '../storage/installation-claim.ts';
import { type Tracer, traceOfLines } from '../tracing/tracer.ts';
import { openTracing, type Tracing } from '../tracing/tracing.ts';
import { createIds } from '../unique-ids.ts';
import { dashboardFolder } from './dashboard-folder.ts';
import { leaveRoomInHeaps } from './heap-room.ts';
import { hasDemo, syslogAddressOf, takesSyslog } from './listeners.ts';
import { explainListenError, explainSyslogError, startMessage } from './start-error.ts';
import { createStopList, type StopList } from './stop-list.ts';
import { type RunningStores, startStores } from './stores.ts';
import { certificateEnds, readTlsIdentity, warnOfCertificate } from './tls-identity.ts';

const AUTH_CALLS_PER_MINUTE = 120;
/** Every open page asks every four minutes; an office has one address. */
const REFRESHES_PER_MINUTE = 1_200;
/** After this long a stop is no longer graceful. */
const STOP_WITHIN_MS = 25_000;
/** Without its database there is little left to finish. */
const STOP_AFTER_LOSS_WITHIN_MS = 5_000;
/** One Ctrl-C may arrive twice, from the terminal and from npm; a person who insists takes longer. */
const SAME_PRESS_MS = 1_000;

const surroundings = { ids: createIds(randomBytes), now: () => new Date(), randomBytes };

type Running = { url: string; notes: readonly string[]; stop(): Promise<void>; lost: RunningStores['lost'] };

async function start(config: Config, { log, tracing }: Telling): Promise<Running> {
  const stopping = createStopList();
  // Last of all: what ends before still has something to tell.
  stopping.add(tracing.stop);
  try {
    const running = await startStores(config, log);
    stopping.add(running.stop);
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    const demo = hasDemo(config) ? await openDemo(config) : undefined;
    if (demo) stopping.add(demo.stop);
    const { url, setUp } = await serve({ config, log, tracing, running, demo, stopping });
    const notes = [...setUpLines(setUp), ...(demo ? await signInLines(config, demo) : [])];
    return { url, notes, stop: stopping.run, lost: running.lost };
  } catch (error) {
    await stopping.run().catch((failure: unknown) => log.warn({ err: failure }, 'stopping after a failed start'));
    throw error;
  }
}

type Telling = { log: Logger; tracing: Tracing };

type Serving = Telling & {
  config: Config;
  running: RunningStores;
  demo: DemoModule | undefined;
  stopping: StopList;
};

/** `setUp` is the link for the first Admin of an installation nobody uses yet. */
type Served = { url: string; setUp: string | undefined };

async function serve({ config, log, tracing, running, demo, stopping }: Serving): Promise<Served> {
  const { host, port } = config.http;
  let syslogPort: number | undefined;
  let certificateEnd: Date | undefined;
  const secrets = await openSecrets(config);
  if (config.stores.databaseUrl !== undefined) {
    const shared = [secrets.identitySecret, await oldestKey(secrets.keys), filesPlace(config)];
    const url = config.stores.databaseUrl;
    const claim = await claimInstallation({ url, shared, hasDemo: demo !== undefined, log });
    stopping.add(claim.release);
  }
  const composition = await compose(config, running.stores, {
    ...surroundings,
    log,
    tracing,
    dashboardFolder: dashboardFolder(import.meta.url),
    ...secrets,
    callLimits,
    authLimits: { callsPerMinute: AUTH_CALLS_PER_MINUTE, refreshesPerMinute: REFRESHES_PER_MINUTE },
    demoAccounts: demo ? demo.signIns : async () => [],
    demoConnections: demo ? demoConnections(demo.sandbox) : [],
    sandbox: demo && { host, port: demo.sandbox.port },
    // The lock on the data folder lets one process at a time use an embedded database.
    exclusiveWorker: config.stores.databaseUrl === undefined ? 'embedded' : undefined,
    syslogAddress: () => syslogAddressOf(config, syslogPort),
    syslogCertificateEnds: () => certificateEnd,
  });
  stopping.add(composition.stop);
  await composition.start();
  const workspace = await demo?.ensureWorkspace(demoServices(composition, running));
  // Before anybody can be told that this process is ready: a balancer sends it lines of syslog from then on.
  const identity = await tlsIdentity(config, log);
  certificateEnd = identity && certificateEnds(identity.cert);
  const syslog = await openSyslog(config, { composition, identity });
  syslogPort = syslog.tcpPort;
  await composition.app.server.listen({ host, port }).catch((error: unknown) => {
    throw explainListenError(error, { variable: 'PORT', port, host });
  });
  const metrics = await openMetrics({ config, composition, stopping, log });
  const url = config.http.publicUrl ?? composition.listeningAt();
  if (!demo || !workspace) return { url, setUp: await openSetUp(config, composition) };
  const file = await demo.publish({
    url: composition.listeningAt(),
    ports: {
      http: composition.listeningPort(),
      syslog_tcp: syslog.tcpPort ?? 0,
      syslog_udp: syslog.udpPort ?? 0,
      sandbox: demo.sandbox.port,
      ...(metrics === undefined ? {} : { metrics }),
    },
  });
  if (workspace.isNew) stopping.add(startHistory({ file, running, composition, log }));
  // The sandbox forgets its notifications when it ends, and they may lead to another port by now.
  for (const { id } of file.tenants) await composition.work.rewriteNotifications(id);
  const feed = startDemoFeed({ file, host, sandboxUrl: demo.sandbox.url, now: surroundings.now, log });
  stopping.add(feed.stop);
  return { url, setUp: undefined };
}

async function openSecrets({ identitySecret: configured, dataDir, connectorKeysFile }: Config) {
  return {
    identitySecret: identitySecret({ configured, dataDir, randomBytes }),
    keys: await openKeyFile(connectorKeysFile),
  };
}

/** Newer ones are added while processes run; this one stays. */
async function oldestKey(keys: KeyProvider): Promise<string> {
  return Buffer.from((await keys.get('k1'))?.key ?? '').toString('base64');
}

/** Where this process looks for files: of folders, each is another place. */
function filesPlace({ filesBucket, dataDir }: Config): string {
  if (filesBucket !== undefined) return `${filesBucket.origin}/${filesBucket.bucket}`;
  const { dev, ino } = statSync(dataDir);
  return `${dev} ${ino}`;
}

/** Beside the live work: nobody has to wait for the past. Returns what ends it. */
function startHistory(past: { file: DemoFile; running: RunningStores; composition: Composition; log: Logger }) {
  const ending = new AbortController();
  const { pastServer } = past.composition;
  const { db } = past.running.stores;
  const writing = writeDemoHistory({
    file: past.file,
    db,
    end: surroundings.now(),
    signal: ending.signal,
    pastServer,
  }).catch((error: unknown) => past.log.warn({ error: String(error) }, 'the past of the demo is incomplete'));
  return async () => {
    ending.abort();
    await writing;
  };
}

/** Only a process that people reach hands out the way in; a demo has people already. */
async function openSetUp(config: Config, composition: Composition): Promise<string | undefined> {
  const isReached = config.role === 'all' || config.role === 'api';
  return isReached && !config.mockData ? await composition.openSetUp() : undefined;
}

function setUpLines(setUp: string | undefined): string[] {
  return setUp === undefined
    ? []
    : [`Nobody can sign in yet. The first Admin signs up here (works once; the next start prints another): ${setUp}`];
}

/** Who can sign in to the demo; their passwords stay in a file that only its owner may read. */
async function signInLines(config: Config, demo: DemoModule): Promise<string[]> {
  const people = (await demo.signIns()).map(
    ({ email, role, tenant_name }) => `  ${email.padEnd(40)} ${role.padEnd(14)} ${tenant_name}`,
  );
  return [`Demo sign-ins, one click each on the sign-in page (passwords: ${config.dataDir}/demo.json):`, ...people];
}

async function openMetrics({
  config,
  composition,
  stopping,
  log,
}: Pick<Serving, 'config' | 'stopping' | 'log'> & { composition: Composition }) {
  const host = config.metricsHost;
  const port = config.ports.metrics;
  if (port === undefined) return undefined;
  const door = await openMetricsDoor({ host, port, metrics: composition.operations.metrics, log }).catch(
    (error: unknown) => {
      throw explainListenError(error, { variable: 'METRICS_PORT', port, host, hostVariable: 'METRICS_HOST' });
    },
  );
  stopping.add(door.close);
  log.info({ host, port: door.port }, 'metrics at /metrics');
  return door.port;
}

async function openSyslog(
  { syslogHost: host, ports, role, dataDir, ...config }: Config,
  { composition: { work }, identity }: { composition: Composition; identity: TlsIdentity | undefined },
) {
  if (!takesSyslog({ role })) return { tcpPort: undefined, udpPort: undefined, tlsPort: undefined };
  const { syslogTls, syslogSpoolMaxBytes: maxBytes } = config;
  const tls = syslogTls && identity && { port: syslogTls.port, identity };
  const spool = { folder: join(dataDir, 'syslog-spool'), maxBytes };
  const sourcePorts = [...config.syslogPorts.keys()];
  return await work.ingestion
    .openSyslog({ host, tcpPort: ports.syslogTcp, udpPort: ports.syslogUdp, tls, sourcePorts, spool })
    .catch((error: unknown) => {
      const hostVariable = host === config.http.host ? 'HOST' : 'SYSLOG_HOST';
      throw explainSyslogError(error, { ...ports, syslogTls: syslogTls?.port, sourcePorts, host, hostVariable });
    });
}

type TlsIdentity = { key: Buffer; cert: Buffer; certFile?: string };

async function tlsIdentity({ syslogTls, role, dataDir }: Config, log: Logger): Promise<TlsIdentity | undefined> {
  if (syslogTls === undefined || !takesSyslog({ role })) return undefined;
  if (!('selfMade' in syslogTls)) {
    const identity = readTlsIdentity(syslogTls);
    warnOfCertificate(identity.cert, { ...surroundings, log });
    return identity;
  }
  // Nearly nobody asks for it, and every start would load what writes certificates.
  const { selfMadeIdentity } = await import('./self-made-identity.ts');
  return selfMadeIdentity({ ...surroundings, dataDir });
}

function openDemo(config: Config): Promise<DemoModule> {
  const { host } = config.http;
  const { sandbox: sandboxPort } = config.ports;
  return startDemo({ ...surroundings, dataDir: config.dataDir, host, sandboxPort }).catch((error: unknown) => {
    throw explainListenError(error, { variable: 'SANDBOX_PORT', port: sandboxPort, host });
  });
}

function demoServices({ tenants, apiKeys, identity, work, contract, files }: Composition, { stores }: RunningStores) {
  const { policies, playbooks, connectors, sources, addRuleResponse } = work;
  return {
    db: stores.db,
    issuer: LOCAL_ISSUER,
    users: identity.users,
    tenants,
    apiKeys,
    policies,
    playbooks,
    connectors,
    sources,
    addRuleResponse,
    contract: contract.service,
    files,
  };
}

/** To standard output. What cannot be written there, such as to a file on a full disk, is lost rather than the server. */
function openLog(config: Config, tracer: Tracer): Logger {
  const output = pino.destination({ fd: 1, sync: true });
  output.on('error', () => undefined);
  const base = { product: config.dashboard.product_short_name };
  return pino({ level: config.logLevel, base, ...traceOfLines(tracer) }, output);
}

/** Its warnings are lines of the log, whose lines carry its traces. */
function openTelling(config: Config): Telling {
  const tracing = openTracing(config.tracing, {
    ...surroundings,
    elapsedMs: () => performance.now(),
    log: { warn: (fields, message) => log.warn(fields, message) },
    process: { id: surroundings.ids(), role: config.role, host: hostname(), release: config.dashboard.release },
  });
  const log = openLog(config, tracing.tracer);
  return { log, tracing };
}

function warnOfPlainAddresses({ plainAddresses }: Config, log: Logger): void {
  if (plainAddresses.length === 0) return;
  log.warn(
    { variables: plainAddresses },
    'these addresses lead to another machine without TLS; TRUSTED_STORE_NETWORK=true says that nobody can listen between',
  );
}

/** Nothing waits for it: it may be there later, and until then files are refused with words of their own. */
function warnOfSilentScanner({ malwareScanner, role }: Config, log: Logger): void {
  if (malwareScanner === undefined || role === 'worker' || role === 'ingest') return;
  void createMalwareScanner(malwareScanner, log)
    .problem()
    .then((problem) => {
      if (problem === undefined) return;
      log.warn({ problem }, 'the malware scanner (CLAMD_URL) does not answer: files are refused until it does');
    });
}

async function main(): Promise<void> {
  const config = processConfig();
  const telling = openTelling(config);
  const { log } = telling;
  warnOfPlainAddresses(config, log);
  warnOfSilentScanner(config, log);
  const starting = start(config, telling);
  let endingSince: number | undefined;
  const end = ({ withinMs, code }: { withinMs: number; code: number }) => {
    endingSince = performance.now();
    setTimeout(() => process.exit(1), withinMs).unref();
    starting
      .then((running) => running.stop())
      .then(
        () => process.exit(code),
        (error: unknown) => {
          console.error(startMessage(error));
          process.exit(1);
        },
      );
  };
  const stop = (signal: string) => {
    if (endingSince === undefined) {
      log.info({ signal }, 'stopping');
      end({ withinMs: STOP_WITHIN_MS, code: 0 });
    } else if (performance.now() - endingSince > SAME_PRESS_MS) process.exit(1);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
  const { url, lost, notes } = await starting;
  leaveRoomInHeaps();
  void lost.then((loss) => {
    if (endingSince !== undefined) return;
    console.error(startMessage(loss));
    end({ withinMs: STOP_AFTER_LOSS_WITHIN_MS, code: 1 });
  });
  console.log(`${config.dashboard.product_name} is ready: ${url}`);
  for (const line of notes) console.log(line);
}

main().catch((error: unknown) => {
  console.error(startMessage(error));
  process.exit(1);
});
