import type { Egress } from '@airdeck/connector-kit/egress';
import { createSecretVault, type KeyProvider } from '@airdeck/connector-kit/secrets';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { changedBy } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import type { BreakGlass, TenantSettingsPort } from '../settings/settings-port.ts';
import type { TenantChanges } from '../tenants/tenant-changes.ts';
import { rewrapSecrets } from './connection-secret.ts';
import { createTestLimit } from './connection-test-limit.ts';
import { connectionOf, createConnections } from './connections.ts';
import type { ResolveTxt } from './domain-records.ts';
import { reviewDomains } from './domain-review.ts';
import { createDomainsService } from './domains-service.ts';
import { type InstallationSignIn, installationConnections } from './installation-connections.ts';
import { createOidcClient } from './oidc-client.ts';
import { type Connections, ExternalFailure, type OidcClient } from './sso-port.ts';
import { createSsoService, type EndSessions, type SsoService } from './sso-service.ts';

type Dependencies = {
  db: Pick<Database, 'tenant' | 'system'>;
  audit: Pick<AuditLog, 'record' | 'recordAll'>;
  tenants: Pick<TenantChanges, 'lock'>;
  settings: Pick<TenantSettingsPort, 'signInPolicy' | 'singleSignOn'>;
  breakGlass: Pick<BreakGlass, 'review'>;
  keys: KeyProvider;
  /** For the issuers of tenants. */
  egress: Egress;
  /** For those of the installation, which may be on this machine. */
  ownEgress: Egress;
  /** Asks the name servers for the proof of a domain. */
  resolveTxt: ResolveTxt;
  /** Tells Admins of a domain whose record is gone. */
  notices: Pick<Notices, 'tell'>;
  keyedAnswers: Pick<KeyedAnswers, 'once'>;
  /** What the configuration offers to everybody. */
  installation: InstallationSignIn;
  redirectUri: () => string;
  endSessions: EndSessions;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

/** Each domain is looked for once a day; asked by the hour, so that a day off costs no more than that. */
export const DOMAIN_REVIEW_JOB = { kind: 'sso-domains.review', expression: '41 * * * *' } as const;

export type SsoModule = {
  connections: Connections;
  client: OidcClient;
  /** Looks for the records of proved domains that are due. */
  reviewDomains(context: { signal: AbortSignal }): Promise<void>;
  /** Puts client secrets under the current key of the installation. */
  renewKeys(): Promise<void>;
  handlers: Handlers<
    'sso.list' | 'sso.create' | 'sso.update' | 'sso.delete' | 'sso.test' | 'sso.domains' | 'sso.check-domain'
  >;
};

export function createSsoModule(deps: Dependencies): SsoModule {
  const { db } = deps;
  const vault = createSecretVault(deps);
  const client = createOidcClient(deps);
  const domains = createDomainsService({ ...deps, mayCheck: createTestLimit(deps.now) });
  const service = createSsoService({ ...deps, vault, domains });
  const connections = createConnections({ db, vault, installation: installationConnections(deps.installation) });
  const mayTest = createTestLimit(deps.now);

  return {
    connections,
    client,
    reviewDomains: ({ signal }) => reviewDomains(deps, signal),
    renewKeys: () => db.system((tx) => rewrapSecrets(tx, { vault, keys: deps.keys })),
    handlers: {
      'sso.list': (_request, { scope }) => db.tenant(scope.tenantId, (tx) => service.list(tx, scope)),
      'sso.create': ({ body }, context) => {
        const { scope } = context;
        const request = { route: 'sso.create', tenant: scope.tenantId, context, asked: body } as const;
        return db.system((tx) =>
          deps.keyedAnswers.once(tx, request, () => service.create(tx, scope, body, changedBy(context))),
        );
      },
      'sso.update': ({ params, body }, context) =>
        db.system((tx) => service.update(tx, context.scope, { id: params.id, input: body }, changedBy(context))),
      'sso.delete': async ({ params }, context) => {
        await remove(deps, service, params.id, context);
        return undefined;
      },
      'sso.test': async ({ params }, { scope }) => {
        const row = await db.tenant(scope.tenantId, (tx) => service.get(tx, scope, params.id));
        if (!mayTest(scope.tenantId)) throw new AppError('RATE_LIMITED', { retryAfterS: 60 });
        try {
          await client.probe(connectionOf(vault, row));
          return { ok: true, ...refusal('SSO_USABLE') };
        } catch (error) {
          if (!(error instanceof ExternalFailure)) throw error;
          return { ok: false, ...error.detail };
        }
      },
      'sso.domains': (_request, { scope }) => db.tenant(scope.tenantId, (tx) => domains.list(tx, scope)),
      'sso.check-domain': ({ body }, context) => domains.check(context.scope, body.domain, changedBy(context)),
    },
  };
}

async function remove(deps: Dependencies, service: SsoService, id: string, context: TenantContext): Promise<void> {
  const { scope } = context;
  const { label } = await deps.db.tenant(scope.tenantId, (tx) => service.get(tx, scope, id));
  await context.confirm({
    object: id,
    title: refusal('ASK_SSO_REMOVE'),
    text: [refusal('ASK_SSO_REMOVE_TEXT', { name: label })],
    action_label: refusal('ASK_LABEL_REMOVE'),
  });
  await deps.db.system((tx) => service.remove(tx, scope, id, changedBy(context)));
}
