/** The server program: configuration, stores, composition, listening, and a clean end. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { v7 } from 'uuid';
import { compose } from '../compose.ts';
import type { Config } from '../config/config.ts';
import { processConfig } from '../config/process-config.ts';
import { identitySecret } from '../modules/identity/identity-secret.ts';
import { dashboardFolder } from './dashboard-folder.ts';
import { explainListenError, startMessage } from './start-error.ts';
import { startStores } from './stores.ts';

const AUTH_CALLS_PER_MINUTE = 120;
/** After this long a stop is no longer graceful. */
const STOP_WITHIN_MS = 25_000;

type Running = { url: string; stop(): Promise<void> };

async function start(config: Config, log: Logger): Promise<Running> {
  const { stores, stop: stopStores } = await startStores(config, log);
  try {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    const composition = await compose(config, stores, {
      log,
      ids: v7,
      now: () => new Date(),
      randomBytes,
      dashboardFolder: dashboardFolder(import.meta.url),
      identitySecret: identitySecret({ configured: config.identitySecret, dataDir: config.dataDir, randomBytes }),
      authLimits: { callsPerMinute: AUTH_CALLS_PER_MINUTE },
      demoAccounts: async () => [],
    });
    await composition.start();
    const { host, port } = config.http;
    const { server } = composition.app;
    await server.listen({ host, port }).catch((error: unknown) => {
      throw explainListenError(error, { variable: 'PORT', port, host });
    });
    return {
      url:
        config.http.publicUrl ??
        `http://${host === '127.0.0.1' ? 'localhost' : host}:${server.addresses()[0]?.port ?? port}`,
      async stop() {
        await composition.stop();
        await stopStores();
      },
    };
  } catch (error) {
    await stopStores();
    throw error;
  }
}

async function main(): Promise<void> {
  const config = processConfig();
  const log = pino({ level: config.logLevel, base: { product: config.dashboard.product_short_name } });
  const starting = start(config, log);
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    starting
      .then((running) => running.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(startMessage(error));
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const { url } = await starting;
  console.log(`${config.dashboard.product_name} is ready: ${url}`);
  if (config.mockData) console.log(`Demo sign-ins: ${config.dataDir}/demo.json`);
}

main().catch((error: unknown) => {
  console.error(startMessage(error));
  process.exit(1);
});
