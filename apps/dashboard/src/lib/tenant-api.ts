import type { ApiClient } from '@airdeck/api-client/client';

/** What tenant-scoped queries are made with: the client and the tenant their keys begin with. */
export type TenantApi = { readonly api: ApiClient; readonly tenantId: string };
