import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { IngestSource } from './ingest-source.ts';
import { hashSourceToken, newSourceToken, sourceTokenHint } from './source-token.ts';
import { findIngestSource, insertSource } from './sources-repository.ts';

/** The source that events fetched by a connector belong to. */
export interface ConnectorSources {
  /** Made on first use. Nobody knows its token, and the list of sources does not show it. */
  of(scope: TenantScope, connector: { id: string; name: string }): Promise<IngestSource>;
}

export function createConnectorSources(deps: {
  db: Pick<Database, 'system'>;
  ids: () => string;
  now: () => Date;
  randomBytes: (count: number) => Buffer;
}): ConnectorSources {
  return {
    async of(scope, { id, name }) {
      return await deps.db.system(async (tx) => {
        const lookup = { connector: id, tenantId: scope.tenantId };
        const known = await findIngestSource(tx, lookup);
        if (known !== undefined) return { ...known, connectorId: id };
        const token = newSourceToken(deps.randomBytes);
        const tokenHash = hashSourceToken(token);
        if (tokenHash === undefined) throw new Error('A new token must look like a token.');
        await insertSource(tx, scope, {
          id: deps.ids(),
          name,
          kind: 'webhook',
          tokenHash,
          tokenHint: sourceTokenHint(token),
          syslogDefault: false,
          senderAddresses: [],
          connectorId: id,
          createdAt: deps.now(),
        });
        const made = await findIngestSource(tx, lookup);
        if (made === undefined) throw new Error('The source of a connector was not made.');
        return { ...made, connectorId: id };
      });
    },
  };
}
