import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CommandError } from './command-error.ts';

export type DemoUser = {
  email: string;
  password: string;
  totp_secret: string;
  role?: string;
  /** Where the API key is for. */
  tenant?: string;
  api_key?: string;
};
export type DemoSource = { id: string; tenant: string; kind: string; token: string };

/** What commands need of `demo.json`, which the server writes into its data folder at stage local. */
export type DemoWorkspace = {
  url: string;
  ports: { syslog_tcp: number };
  tenants: { id: string; name: string }[];
  users: DemoUser[];
  sources: DemoSource[];
};

export async function readDemoWorkspace(env: Readonly<Record<string, string | undefined>>): Promise<DemoWorkspace> {
  const path = resolve(join(env.AIRDECK_DATA_DIR?.trim() || './data', 'demo.json'));
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw missing
      ? new CommandError(
          'DEMO_MISSING',
          `${path} is not there. Start the product at stage local first, or name its data folder in AIRDECK_DATA_DIR.`,
          { cause },
        )
      : new CommandError('DEMO_UNREADABLE', `${path} cannot be read.`, { path, cause });
  }
  if (!isDemoWorkspace(value)) throw new CommandError('DEMO_UNREADABLE', `${path} is not a demo file.`, { path });
  return value;
}

function isDemoWorkspace(value: unknown): value is DemoWorkspace {
  if (!isRecord(value) || !isRecord(value.ports)) return false;
  return (
    typeof value.url === 'string' &&
    typeof value.ports.syslog_tcp === 'number' &&
    everyHas(value.tenants, ['id', 'name']) &&
    everyHas(value.users, ['email', 'password', 'totp_secret']) &&
    everyHas(value.sources, ['id', 'tenant', 'kind', 'token'])
  );
}

function everyHas(list: unknown, keys: readonly string[]): boolean {
  return Array.isArray(list) && list.every((one) => isRecord(one) && keys.every((key) => typeof one[key] === 'string'));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
