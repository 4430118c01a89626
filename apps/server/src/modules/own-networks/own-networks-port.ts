import type { OwnNetwork } from '@airdeck/connector-kit/own-networks';

/**
 * Private networks a tenant's calls may reach, for the one module that opens sockets. Quick: kept for a second, and not
 * looked up at all where the operator has opened none. Rejects when the list cannot be read; then nothing is called.
 */
export type OwnNetworksOf = (tenantId: string) => Promise<readonly OwnNetwork[]>;
