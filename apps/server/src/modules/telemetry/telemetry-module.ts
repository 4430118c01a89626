/**
 * What browsers tell of the use of the dashboard and of what fails in it, where the operator has configured no service for
 * that. Routes and counts only; texts of errors are made free of addresses, tokens and long numbers once more here.
 */
import { telemetryLimits } from '@airdeck/contracts/telemetry/limits';
import type { Usage } from '@airdeck/contracts/telemetry/schema';
import { withoutPersonal } from '@airdeck/domain/without-personal';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { addError, addViews, latestErrors, purgeTelemetry, viewsByDay, viewsByRoute } from './telemetry-repository.ts';

const DAY_MS = 86_400_000;
const SHOWN = 50;

type Dependencies = {
  db: Pick<Database, 'tenant' | 'read' | 'system'>;
  now: () => Date;
  /** Whether the dashboard is told to send here. */
  isOwnSink: boolean;
};

export type TelemetryModule = {
  handlers: Handlers<'telemetry.report' | 'telemetry.usage'>;
  purge(): Promise<void>;
};

export function createTelemetryModule({ db, now, isOwnSink }: Dependencies): TelemetryModule {
  return {
    handlers: {
      'telemetry.report': async ({ body }, { scope, caller }) => {
        const at = now();
        const routes = new Map<string, number>();
        for (const route of body.views) routes.set(route, (routes.get(route) ?? 0) + 1);
        const views = { day: dayOf(at), userId: caller.userId, routes };
        await db.tenant(scope.tenantId, async (tx) => {
          await addViews(tx, scope, views);
          for (const error of body.errors) {
            await addError(tx, scope, { ...error, message: withoutPersonal(error.message) }, at);
          }
        });
        return undefined;
      },

      'telemetry.usage': async ({ query: { days } }, { scope }) => {
        const first = new Date(now().getTime() - (days - 1) * DAY_MS);
        const since = dayOf(first);
        return await db.read(scope.tenantId, async (tx): Promise<Usage> => {
          const found = new Map((await viewsByDay(tx, scope, since)).map((row) => [row.day, row]));
          const routes = await viewsByRoute(tx, scope, since, SHOWN);
          const errors = await latestErrors(tx, scope, new Date(`${since}T00:00:00Z`), SHOWN);
          return {
            own_sink: isOwnSink,
            days: Array.from({ length: days }, (_, n) => {
              const day = dayOf(new Date(first.getTime() + n * DAY_MS));
              return { day, views: Number(found.get(day)?.views ?? 0), people: Number(found.get(day)?.people ?? 0) };
            }),
            routes: routes.map(({ route, views }) => ({ route, views: Number(views) })),
            errors: errors.map(({ tenant_id: _, first_at, last_at, ...error }) => ({
              ...error,
              first_at: first_at.toISOString(),
              last_at: last_at.toISOString(),
            })),
          };
        });
      },
    },

    purge: () => db.system((tx) => purgeTelemetry(tx, new Date(now().getTime() - telemetryLimits.keptDays * DAY_MS))),
  };
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
