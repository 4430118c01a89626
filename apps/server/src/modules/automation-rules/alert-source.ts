/**
 * The event source that the notifications of one Graylog send their alerts to. Its token is derived, so that it is stored
 * nowhere and every notification can be written again; a token that somebody replaced, or a source that somebody deleted,
 * is followed by another one, and then all notifications of that Graylog have to be written.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ChangedBy, SourcesService } from '../sources/sources-service.ts';

const KEY_BYTES = 32;
const NAME_MAX = 100;

export type AlertSource = { id: string; token: string; url: string };
export type AlertSources = ReturnType<typeof createAlertSources>;

type Dependencies = {
  sources: Pick<SourcesService, 'createSource' | 'rotateToken' | 'opensWith'>;
  /** The installation's secret; tokens are made with a key of their own from it. */
  secret: string;
  /** Where the product is from outside, without a slash at the end. */
  ownAddress: () => string;
};

type Connector = { id: string; name: string };

export function createAlertSources({ sources, secret, ownAddress }: Dependencies) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'alert sources', KEY_BYTES));
  const tokenOf = (sourceId: string, version: number) =>
    `src_${createHmac('sha256', key).update(`${sourceId} ${version}`).digest('base64url')}`;

  function shown(scope: TenantScope, id: string, version: number): AlertSource {
    const url = `${ownAddress()}/api/${scope.tenantId}/event/ingest/${id}`;
    return { id, token: tokenOf(id, version), url };
  }

  async function find(tx: Tx, scope: TenantScope, connectorId: string) {
    return await tx
      .selectFrom('automation_alert_source as a')
      .innerJoin('event_source as s', 's.id', 'a.source_id')
      .select(['a.source_id', 'a.token_version', 's.deleted_at'])
      .where('a.tenant_id', '=', scope.tenantId)
      .where('a.connector_id', '=', connectorId)
      .executeTakeFirst();
  }

  async function keep(tx: Tx, scope: TenantScope, connector: Connector, sourceId: string, version: number) {
    await tx
      .insertInto('automation_alert_source')
      .values({
        tenant_id: scope.tenantId,
        connector_id: connector.id,
        source_id: sourceId,
        token_version: version,
      })
      .onConflict((on) =>
        on.columns(['tenant_id', 'connector_id']).doUpdateSet({ source_id: sourceId, token_version: version }),
      )
      .execute();
  }

  return {
    /** As it is; undefined when there is none, or what is there is not ours any more. */
    async find(tx: Tx, scope: TenantScope, connectorId: string): Promise<AlertSource | undefined> {
      const known = await find(tx, scope, connectorId);
      if (known === undefined || known.deleted_at !== null) return undefined;
      const source = shown(scope, known.source_id, known.token_version);
      return (await sources.opensWith(tx, scope, source.id, source.token)) ? source : undefined;
    },

    /** Under the lock of the tenant's rules. `isNew`: notifications that were there before send to nobody now. */
    async ensure(
      tx: Tx,
      scope: TenantScope,
      connector: Connector,
      by: ChangedBy,
    ): Promise<{ source: AlertSource; isNew: boolean }> {
      const known = await find(tx, scope, connector.id);
      if (known === undefined || known.deleted_at !== null) {
        const name = `Alerts of ${connector.name}`.slice(0, NAME_MAX);
        const wanted = { name, kind: 'graylog', tokenOf: (id: string) => tokenOf(id, 1) } as const;
        const { id } = await sources.createSource(tx, scope, wanted, by);
        await keep(tx, scope, connector, id, 1);
        return { source: shown(scope, id, 1), isNew: true };
      }
      const { source_id: id, token_version: version } = known;
      if (await sources.opensWith(tx, scope, id, tokenOf(id, version))) {
        return { source: shown(scope, id, version), isNew: false };
      }
      await sources.rotateToken(tx, scope, id, by, { token: tokenOf(id, version + 1) });
      await keep(tx, scope, connector, id, version + 1);
      return { source: shown(scope, id, version + 1), isNew: true };
    },
  };
}
