import { ApiError } from '@airdeck/api-client/api-error';
import type { OwnNetworks } from '@airdeck/contracts/own-networks/schema';
import { t } from '../../../language/translate.ts';
import type { OwnNetworksBody } from '../../../queries/own-networks.ts';

/** As many as a tenant may name. */
export const NETWORKS_MAX = 50;
export const NETWORK_MAX_CHARS = 49;
export const NOTE_MAX_CHARS = 200;

/** The list in place of the one that was seen. */
export function inputOf(
  seen: Pick<OwnNetworks, 'updated_at'>,
  networks: readonly { network: string; note: string }[],
): OwnNetworksBody {
  return { networks: networks.map(({ network, note }) => ({ network, note })), replaces: seen.updated_at };
}

/** What is wrong with a network before it is sent; the server knows what is private and what is opened. */
export function networkProblem(text: string, own: Pick<OwnNetworks, 'networks'>): string | undefined {
  const network = text.trim();
  if (network === '') return t('Enter a network, such as 10.1.2.0/24.');
  if (!/^[0-9a-fA-F.:]+(?:\/\d{1,3})?$/.test(network)) return t('An address or a network such as 10.1.2.0/24.');
  if (own.networks.some((each) => each.network === network)) return t('It is in the list already.');
  return undefined;
}

/** What the server says about the network that was sent last in the list. */
export function refusedNetwork(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.details.find(({ path }) => /^body\.networks\.\d+\.network$/.test(path))?.message;
}
