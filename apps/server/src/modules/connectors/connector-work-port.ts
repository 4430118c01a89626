import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ConnectorRow } from './connectors-repository.ts';

/** Plans what is done for a connector by itself. */
export interface ConnectorWork {
  /**
   * In the transaction that saved the connector. `anew` forgets failures of the configuration before; `now` has it tested at
   * once. A paused connector has nothing due.
   */
  plan(tx: Tx, scope: TenantScope, connector: ConnectorRow, how: { anew: boolean; now: boolean }): Promise<void>;
}
