import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ConnectorRow } from './connectors-repository.ts';
import type { WorkKind } from './connectors-tables.ts';

/** Plans what is done for a connector by itself. */
export interface ConnectorWork {
  /**
   * In the transaction that saved the connector. Work of the kinds in `anew` forgets failures of the settings before; other
   * work goes on at its pace. `now` has it tested at once. A paused connector has nothing due.
   */
  plan(
    tx: Tx,
    scope: TenantScope,
    connector: ConnectorRow,
    how: { anew: readonly WorkKind[]; now: boolean },
  ): Promise<void>;
}
