import { z } from 'zod';
import { defineRoutes } from '../route.ts';
import { tenantOverviewSchema } from './schema.ts';

export const overviewRoutes = defineRoutes({
  'overview.list': {
    method: 'GET',
    path: '/api/overview',
    summary: 'All tenants the caller may see, at a glance: most urgent first',
    access: { kind: 'signed_in' },
    response: z.array(tenantOverviewSchema),
  },
});
