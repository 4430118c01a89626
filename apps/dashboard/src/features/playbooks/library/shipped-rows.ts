import type { ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import type { Integration } from '@airdeck/contracts/integrations/schema';
import type { ShippedPlaybook } from '@airdeck/contracts/playbooks/schema';
import { plainLetters } from '../../../lib/plain-letters.ts';

/** How a tenant stands with a vendor: a connector that works, one that does not just now, or none. */
export type Standing = 'works' | 'broken' | 'missing';

export type Vendor = {
  readonly id: string;
  readonly name: string;
  /** Undefined as long as nobody knows. */
  readonly standing: Standing | undefined;
};

export type ShippedRow = ShippedPlaybook & { readonly vendors: readonly Vendor[] };

type Known = {
  /** Undefined while they load, or when they did not. */
  integrations: readonly Pick<Integration, 'id' | 'name'>[] | undefined;
  connectors: readonly Pick<ConnectorSummary, 'definition_id' | 'state'>[] | undefined;
};

/** Shipped playbooks with the vendors they call: by the names of the catalogue, and whether they can be called. */
export function shippedRows(library: readonly ShippedPlaybook[], { integrations, connectors }: Known): ShippedRow[] {
  const names = new Map(integrations?.map(({ id, name }) => [id, name]));
  return library.map((shipped) => ({
    ...shipped,
    vendors: shipped.integrations.map((id) => ({
      id,
      name: names.get(id) ?? id,
      standing: connectors === undefined ? undefined : standingOf(id, connectors),
    })),
  }));
}

function standingOf(id: string, connectors: NonNullable<Known['connectors']>): Standing {
  const own = connectors.filter(({ definition_id }) => definition_id === id);
  if (own.length === 0) return 'missing';
  return own.some(({ state }) => state === 'active') ? 'works' : 'broken';
}

/** Those that have every word somewhere in name, description or vendors. */
export function matchingRows(rows: readonly ShippedRow[], q: string): ShippedRow[] {
  const words = plainLetters(q.trim()).split(/\s+/);
  return rows.filter(({ name, description, vendors }) => {
    const text = plainLetters([name, description, ...vendors.map((vendor) => vendor.name)].join('\n'));
    return words.every((word) => text.includes(word));
  });
}
