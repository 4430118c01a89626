import { inputError } from './command-error.ts';
import { readDemoWorkspace } from './demo-workspace.ts';
import type { Surroundings } from './surroundings.ts';

/** Where a tenant's server is, and what opens it. */
export type Server = { url: string; token: string };

/**
 * The server and token of the environment, or those of the demo workspace: of somebody whose role may do it, which for most
 * is more than a reader.
 */
export async function serverFor(
  { env }: Surroundings,
  tenant: string,
  mayDoIt: (role: string | undefined) => boolean = (role) => role !== 'ReadOnly',
): Promise<Server> {
  const token = env.AIRDECK_TOKEN?.trim();
  if (token) return { url: env.AIRDECK_URL?.trim() || 'http://localhost:4000', token };
  const { url, users } = await readDemoWorkspace(env);
  const [user] = users.filter((each) => each.tenant === tenant && each.api_key !== undefined && mayDoIt(each.role));
  if (user?.api_key !== undefined) return { url, token: user.api_key };
  throw inputError(
    'TENANT_UNKNOWN',
    'The demo workspace has nobody who may do this in this tenant. Put an API key in AIRDECK_TOKEN and the address in AIRDECK_URL.',
  );
}
