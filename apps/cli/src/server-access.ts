import { inputError } from './command-error.ts';
import { readDemoWorkspace } from './demo-workspace.ts';
import type { Surroundings } from './surroundings.ts';

/** Where a tenant's server is, and what opens it. */
export type Server = { url: string; token: string };

/** The server and token of the environment, or those of the demo workspace: somebody who is more than a reader. */
export async function serverFor({ env }: Surroundings, tenant: string): Promise<Server> {
  const token = env.AIRDECK_TOKEN?.trim();
  if (token) return { url: env.AIRDECK_URL?.trim() || 'http://localhost:4000', token };
  const { url, users } = await readDemoWorkspace(env);
  const keys = users.filter((user) => user.tenant === tenant && user.api_key !== undefined && user.role !== 'ReadOnly');
  const key = keys[0]?.api_key;
  if (key !== undefined) return { url, token: key };
  throw inputError(
    'TENANT_UNKNOWN',
    'The demo workspace has nobody who may work in this tenant. Put an API key in AIRDECK_TOKEN and the address in AIRDECK_URL.',
  );
}
