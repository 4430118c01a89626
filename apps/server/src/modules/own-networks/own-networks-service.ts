/**
 * Networks of their own that tenants let their connectors into. Two people decide: the operator opens networks to tenants
 * at all (a hosted installation opens none, because its private networks are the operator's), and a tenant's Admin names
 * some of them. A network counts only while both do.
 */
import { isWithin, ownNetworkOf } from '@airdeck/connector-kit/own-networks';
import type { OwnNetworks, OwnNetworksInput } from '@airdeck/contracts/own-networks/schema';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { findNetworks, lockNetworks, putNetworks } from './own-networks-repository.ts';

/** A network was named that nobody may have. Tells the handler to note the refused attempt. */
export class NetworkRefused extends AppError {}

export type OwnNetworksDependencies = {
  audit: Pick<AuditLog, 'record'>;
  /** Networks the operator has opened. */
  permitted: readonly string[];
  now: () => Date;
};

export type OwnNetworksService = ReturnType<typeof createOwnNetworksService>;

export function createOwnNetworksService({ audit, permitted, now }: OwnNetworksDependencies) {
  async function get(tx: Tx, scope: TenantScope): Promise<OwnNetworks> {
    const row = await findNetworks(tx, scope);
    return {
      networks: (row?.networks ?? []).map(({ network, note }) => ({
        network,
        note,
        in_force: isWithin(network, permitted),
      })),
      permitted: [...permitted],
      updated_at: row?.updated_at.toISOString() ?? null,
    };
  }

  return {
    get,

    /** Those that count now. */
    async inForce(tx: Tx, scope: TenantScope): Promise<string[]> {
      const networks = (await findNetworks(tx, scope))?.networks ?? [];
      return networks.map(({ network }) => network).filter((network) => isWithin(network, permitted));
    },

    /**
     * Throws `NetworkRefused` naming every network that is not private or not opened by the operator; one that was there
     * before may stay, as it opens nothing. Throws CONFLICT when the list is not the one that was changed.
     */
    async put(tx: Tx, scope: TenantScope, input: OwnNetworksInput, by: ChangedBy): Promise<OwnNetworks> {
      await lockNetworks(tx, scope);
      const row = await findNetworks(tx, scope);
      if (input.replaces !== undefined && input.replaces !== (row?.updated_at.toISOString() ?? null)) {
        throw new AppError('CONFLICT', { message: 'Somebody else has changed the list. Look at it and try again.' });
      }
      const before = (row?.networks ?? []).map(({ network }) => network);
      const networks = requireAllowed(input, { permitted, before });
      const after = networks.map(({ network }) => network);
      await putNetworks(tx, scope, { networks, at: now() });
      const answer = await get(tx, scope);
      await audit.record(tx, {
        tenant: scope.tenantId,
        actor: by.actor,
        action: 'own_networks.update',
        target: { kind: 'tenant', id: scope.tenantId },
        outcome: 'ok',
        data: {
          added: after.filter((one) => !before.includes(one)),
          removed: before.filter((one) => !after.includes(one)),
        },
        request_id: by.requestId,
      });
      return answer;
    },
  };
}

/** In their one written form, each once. */
function requireAllowed(
  { networks }: OwnNetworksInput,
  { permitted, before }: { permitted: readonly string[]; before: readonly string[] },
): OwnNetworksInput['networks'] {
  const allowed = new Map<string, { network: string; note: string }>();
  const details: { path: string; message: string }[] = [];
  for (const [index, { network: text, note }] of networks.entries()) {
    const network = ownNetworkOf(text);
    const problem = network !== undefined && before.includes(network) ? undefined : problemOf(network, permitted);
    if (network === undefined || problem !== undefined) {
      details.push({ path: `body.networks.${index}.network`, message: problem ?? NOT_PRIVATE });
    } else {
      allowed.set(network, { network, note });
    }
  }
  if (details.length > 0) throw new NetworkRefused('VALIDATION_FAILED', { details });
  return [...allowed.values()];
}

const NOT_PRIVATE =
  'Only private networks can be named: in 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or fc00::/7, such as 10.1.2.0/24.';

function problemOf(network: string | undefined, permitted: readonly string[]): string | undefined {
  if (network === undefined) return NOT_PRIVATE;
  if (isWithin(network, permitted)) return undefined;
  if (permitted.length === 0) return 'The operator of this installation has opened none of its networks.';
  return `The operator of this installation has opened only ${permitted.join(', ')}.`;
}
