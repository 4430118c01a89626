import type { ImportedIntegration, OpenapiDocument } from '@airdeck/contracts/openapi/schema';

export const description: OpenapiDocument = {
  id: '01920000-0000-7000-8000-000000000d01',
  expires_at: '2026-01-04T00:00:00.000Z',
  title: 'Inventory',
  description: 'Knows every host.',
  api_version: '7',
  servers: ['https://inventory.example/v1'],
  base_url: 'https://inventory.example/v1',
  credentials: ['X-Key (header)'],
  warnings: ['The document names 2 addresses; the first is taken.'],
  operations: [
    { key: 'GET /hosts', summary: 'List hosts', effect: 'reads', unsupported: null },
    { key: 'DELETE /hosts/{id}', summary: 'Delete a host', effect: 'destroys', unsupported: null },
    { key: 'POST /photos', summary: 'Add a photo', effect: 'changes', unsupported: 'Its body is a file.' },
  ].map((operation) => ({ ...operation, description: '', tags: ['Hosts'], deprecated: false })) as never,
};

export const imported: ImportedIntegration = {
  id: '01920000-0000-7000-8000-000000000e01',
  definition_id: 'own_01920000000070008000000000000e01',
  name: 'Inventory',
  description: 'Knows every host.',
  version: 1,
  actions: ['own_01920000000070008000000000000e01.list_hosts'],
  operations: ['GET /hosts'],
  created_by: 'ana.souza@example.com',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
