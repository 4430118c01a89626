import type { JSONColumnType } from 'kysely';

/** A tenant without a row has no networks of its own. */
export type OwnNetworksTable = {
  tenant_id: string;
  networks: JSONColumnType<{ network: string; note: string }[]>;
  updated_at: Date;
};

export type OwnNetworksTables = { tenant_own_networks: OwnNetworksTable };
