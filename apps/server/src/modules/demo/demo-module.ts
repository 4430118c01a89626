import { type Sandbox, startSandbox } from '@airdeck/simulator/sandbox/sandbox';
import type { DemoSignIn } from '../system/system-module.ts';
import { type DemoFile, readDemoFile, writeDemoFile } from './demo-file.ts';
import { newSandboxKeys, planDemoWorkspace } from './demo-plan.ts';
import { type DemoServices, ensureDemoWorkspace } from './demo-workspace.ts';

export type DemoAddresses = Pick<DemoFile, 'url' | 'ports'>;

/** The demo of stage `local`: a sandbox that speaks the vendors' APIs, and a workspace with people, policies and sources. */
export type DemoModule = {
  sandbox: Sandbox;
  signIns(): Promise<DemoSignIn[]>;
  /** Creates the workspace at the first start and finds it at every other. */
  ensureWorkspace(services: DemoServices): Promise<{ file: DemoFile; isNew: boolean }>;
  /** Tells people and scripts where this run is to be found. */
  publish(addresses: DemoAddresses): Promise<DemoFile>;
  stop(): Promise<void>;
};

type Dependencies = {
  dataDir: string;
  host: string;
  /** 0 takes the port of the run before where it is free, so that what was noted down stays true. */
  sandboxPort: number;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

export async function startDemo(deps: Dependencies): Promise<DemoModule> {
  const { dataDir } = deps;
  const planned = (await readDemoFile(dataDir)) ?? planDemoWorkspace(deps);
  // A vendor that came with a newer release has no key in an older file.
  const known = { ...planned, sandbox_keys: { ...newSandboxKeys(deps.randomBytes), ...planned.sandbox_keys } };
  // The credentials must be on disk before the first connector holds them.
  await writeDemoFile(dataDir, known);
  const sandbox = await openSandbox(deps, known);

  async function file(): Promise<DemoFile> {
    return (await readDemoFile(dataDir)) ?? known;
  }

  return {
    sandbox,
    async signIns() {
      const { users, tenants } = await file();
      const names = new Map(tenants.map((tenant) => [tenant.id, tenant.name]));
      return users.map(({ email, fullname, password, role, tenant, totp_secret }) => ({
        email,
        fullname,
        password,
        role,
        tenant_name: names.get(tenant) ?? '',
        totpSecret: totp_secret,
      }));
    },
    ensureWorkspace: (services) => ensureDemoWorkspace({ ...deps, ...services, sandboxUrl: sandbox.url }),
    async publish(addresses) {
      const complete = { ...(await file()), ...addresses };
      await writeDemoFile(dataDir, complete);
      return complete;
    },
    stop: () => sandbox.close(),
  };
}

async function openSandbox({ host, sandboxPort, now }: Dependencies, file: DemoFile): Promise<Sandbox> {
  const open = (port: number) => startSandbox({ host, port, keys: file.sandbox_keys, now });
  if (sandboxPort !== 0) return await open(sandboxPort);
  try {
    return await open(file.ports.sandbox);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return await open(0);
  }
}
