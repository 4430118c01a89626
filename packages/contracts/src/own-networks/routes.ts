import { requirements } from '../access/requirements.ts';
import { tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { ownNetworksInputSchema, ownNetworksSchema } from './schema.ts';

const path = '/api/tenants/{tenant}/settings/own_networks';
const access = { kind: 'tenant', ...requirements.tenantSettings } as const;

export const ownNetworkRoutes = defineRoutes({
  'own-networks.get': {
    method: 'GET',
    path,
    summary: "Private networks with the tenant's own appliances, which its connectors may reach",
    access,
    params: tenantParamsSchema,
    response: ownNetworksSchema,
  },
  'own-networks.put': {
    method: 'PUT',
    path,
    summary: "Replace the list of the tenant's own networks",
    access,
    params: tenantParamsSchema,
    body: ownNetworksInputSchema,
    response: ownNetworksSchema,
    errors: ['CONFLICT'],
  },
});
