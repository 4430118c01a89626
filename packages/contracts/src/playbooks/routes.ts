import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { playbookSchema } from './schema.ts';

export const playbookRoutes = defineRoutes({
  'playbooks.list': {
    method: 'GET',
    path: '/api/tenants/{tenant}/soar/playbooks',
    summary: 'Playbooks, by name',
    access: { kind: 'tenant', ...requirements.playbooks },
    params: tenantParamsSchema,
    response: z.array(playbookSchema),
  },
  'playbooks.get': {
    method: 'GET',
    path: '/api/tenants/{tenant}/soar/playbooks/{id}',
    summary: 'One playbook',
    access: { kind: 'tenant', ...requirements.playbooks },
    params: tenantIdParamsSchema,
    response: playbookSchema,
    errors: ['NOT_FOUND'],
  },
});
