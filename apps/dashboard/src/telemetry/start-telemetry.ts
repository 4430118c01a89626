import type { DashboardConfig } from '@airdeck/contracts/system/schema';
import type { Happening, telemetryQueue } from '../lib/telemetry-queue.ts';
import type { AppContext } from '../session/app-context.ts';
import { createErrorReporter } from './error-reporter.ts';
import { createOwnSink, type OwnSink } from './own-sink.ts';
import type { AnalyticsSink, ErrorSink } from './telemetry-sink.ts';

type Deps = {
  app: Pick<AppContext, 'api' | 'session'>;
  queue: Pick<typeof telemetryQueue, 'drainTo'>;
  config: DashboardConfig;
  /** Id of whoever is signed in. */
  person: () => string | undefined;
};

/** Chooses where page views and failures go, and tells what has happened so far and from now on. */
export async function startTelemetry({ app, queue, config, person }: Deps): Promise<void> {
  const own = ownSinkOf(app, config);
  const [analytics, errors] = await Promise.all([analyticsOf(config, own), errorsOf(config, own)]);
  let route = '/';
  let known: string | undefined;
  const report = createErrorReporter({ now: Date.now, send: (found) => errors?.failure(found, route) });
  queue.drainTo((happening: Happening) => {
    const id = person();
    if (id !== known) {
      known = id;
      analytics.person(id);
      errors?.person(id);
    }
    if (happening.kind === 'failure') return report(happening.error);
    route = happening.route;
    if (happening.kind === 'view') analytics.view(route);
  });
  // The last moment at which something can still be told.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') own.flush({ leaving: true });
  });
}

function ownSinkOf({ api, session }: Deps['app'], { release }: DashboardConfig): OwnSink {
  return createOwnSink({
    send: ({ tenant, body, leaving }) =>
      api.call('telemetry.report', { params: { tenant }, body, ...(leaving ? { keepalive: true } : {}) }),
    tenant: () => session.get()?.currentTenant,
    release,
    later: (run, ms) => void window.setTimeout(run, ms),
  });
}

async function analyticsOf(config: DashboardConfig, own: OwnSink): Promise<AnalyticsSink> {
  const { analytics_host: host, analytics_key: key, release } = config;
  // A path is this server.
  if (host.startsWith('/')) return own;
  const { createPosthogSink } = await import('./posthog-sink.ts');
  return await createPosthogSink({ host, key, release });
}

/** Without a DSN failures go where page views go, if that is this server, and otherwise nowhere. */
async function errorsOf(config: DashboardConfig, own: OwnSink): Promise<ErrorSink | undefined> {
  const { error_reporting_dsn: dsn, release, target_stage: stage, analytics_host: host } = config;
  if (dsn === '') return host.startsWith('/') ? own : undefined;
  const { createSentrySink } = await import('./sentry-sink.ts');
  return await createSentrySink({ dsn, release, stage });
}
