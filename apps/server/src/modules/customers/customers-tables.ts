import type { Role } from '@airdeck/contracts/access/roles';

/** The role a person of a provider has in every tenant it manages; ends with their membership in the provider. */
export type ProviderRoleTable = { provider_id: string; user_id: string; role: Role };

export type CustomersTables = { provider_role: ProviderRoleTable };
