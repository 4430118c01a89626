import type { JsonObject } from '@airdeck/contracts/fields';
import type { DashboardConfig, DemoAccount, DemoConnection, Readiness } from '@airdeck/contracts/system/schema';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, KeptHandlers } from '../../http/handlers.ts';
import { KeptAnswer } from '../../http/kept-answer.ts';
import { openApiDocument } from '../../http/openapi.ts';
import { type OwnOrigin, requireOwnHost } from '../../http/own-origin.ts';
import { keyOfSecret, TOTP_PERIOD_S, TOTP_WINDOW, totpCode } from '../identity/totp.ts';

/** A demo sign-in as the demo workspace made it. */
export type DemoSignIn = Pick<DemoAccount, 'email' | 'fullname' | 'password' | 'role' | 'tenant_name'> & {
  totpSecret: string;
};

type Dependencies = {
  dashboard: DashboardConfig;
  own: OwnOrigin;
  readiness: () => Promise<Readiness>;
  isDraining: () => boolean;
  demoAccounts: () => Promise<readonly DemoSignIn[]>;
  /** Of the last authenticator codes that were used, by address. */
  lastCodeSteps: (emails: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  demoConnections: readonly DemoConnection[];
  now: () => Date;
};

export type SystemModule = {
  handlers: Handlers<
    'system.config' | 'system.live' | 'system.ready' | 'system.demo-accounts' | 'system.demo-connections'
  > &
    KeptHandlers<'system.openapi'>;
};

export function createSystemModule(deps: Dependencies): SystemModule {
  const { dashboard } = deps;
  let openApi: KeptAnswer<JsonObject> | undefined;
  return {
    handlers: {
      'system.config': async (_request, { raw }) => {
        void raw.reply.header('cache-control', 'no-cache');
        return dashboard;
      },
      'system.live': async () => ({ live: true }),
      'system.ready': async (_request, { raw }) => {
        const { checks, ready: canWork } = await deps.readiness();
        const ready = canWork && !deps.isDraining();
        if (!ready) void raw.reply.code(503).header('retry-after', '2');
        return { ready, checks };
      },
      'system.openapi': async (_request, { raw }) => {
        void raw.reply.header('cache-control', 'no-cache');
        openApi ??= new KeptAnswer(
          openApiDocument({
            title: dashboard.product_name,
            version: dashboard.release,
            serverUrl: dashboard.api_base_url,
          }),
        );
        return openApi;
      },
      'system.demo-accounts': async (_request, { raw }) => {
        requireDemo(deps, raw.request);
        const seconds = Math.floor(deps.now().getTime() / 1000);
        const accounts = await deps.demoAccounts();
        const used = await deps.lastCodeSteps(accounts.map(({ email }) => email));
        return accounts.map(({ totpSecret, ...account }) => ({
          ...account,
          ...nextCode(totpSecret, used.get(account.email) ?? 0, seconds),
          seconds_left: TOTP_PERIOD_S - (seconds % TOTP_PERIOD_S),
        }));
      },
      'system.demo-connections': async (_request, { raw }) => {
        requireDemo(deps, raw.request);
        return [...deps.demoConnections];
      },
    },
  };
}

/** A code works once: who signs in again in the same half minute gets the next one, as soon as that counts. */
function nextCode(totpSecret: string, usedStep: number, nowS: number): Pick<DemoAccount, 'code' | 'usable_in_s'> {
  const step = Math.max(Math.floor(nowS / TOTP_PERIOD_S), usedStep + 1);
  const countsFromS = (step - TOTP_WINDOW) * TOTP_PERIOD_S;
  return { code: totpCode(keyOfSecret(totpSecret), step), usable_in_s: Math.max(0, countsFromS - nowS) };
}

function requireDemo({ dashboard, own }: Dependencies, request: FastifyRequest): void {
  if (dashboard.target_stage !== 'local' || !dashboard.mock_data) throw new AppError('ROUTE_NOT_FOUND');
  requireOwnHost(request, own);
}
