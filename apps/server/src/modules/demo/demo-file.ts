import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { roleSchema } from '@airdeck/contracts/access/role-schema';
import { sourceKinds } from '@airdeck/contracts/sources/schema';
import { z } from 'zod';

/** `data/demo.json`: everything a person, a script or a test needs to sign in to the demo workspace. */
export const demoFileSchema = z.object({
  url: z.string(),
  ports: z.object({
    http: z.number(),
    syslog_tcp: z.number(),
    syslog_udp: z.number(),
    sandbox: z.number(),
    /** Only with `METRICS_PORT`. */
    metrics: z.number().optional(),
  }),
  tenants: z.array(z.object({ id: z.string(), name: z.string() })),
  users: z.array(
    z.object({
      id: z.string(),
      email: z.string(),
      fullname: z.string(),
      password: z.string(),
      totp_secret: z.string(),
      role: roleSchema,
      tenant: z.string(),
      api_key: z.string(),
    }),
  ),
  /** Credentials the local sandbox takes; the demo's connectors hold the same ones, sealed. */
  sandbox_keys: z.record(z.string(), z.string()),
  sources: z.array(z.object({ id: z.string(), tenant: z.string(), kind: z.enum(sourceKinds), token: z.string() })),
});
export type DemoFile = z.output<typeof demoFileSchema>;

function pathIn(dataDir: string): string {
  return join(dataDir, 'demo.json');
}

/** Undefined when there is none yet. */
export async function readDemoFile(dataDir: string): Promise<DemoFile | undefined> {
  let text: string;
  try {
    text = await readFile(pathIn(dataDir), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return demoFileSchema.parse(JSON.parse(text));
  } catch {
    // It holds passwords: neither the text nor what the parser says of it may come into a log.
    const path = pathIn(dataDir);
    throw new Error(
      `${path} is damaged. Put back a copy of it, or remove the whole data folder for a new demo workspace.`,
    );
  }
}

/** Replaces the file in one step, readable by its owner only. */
export async function writeDemoFile(dataDir: string, file: DemoFile): Promise<void> {
  const target = pathIn(dataDir);
  const draft = `${target}.new`;
  await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flush: true });
  await chmod(draft, 0o600);
  await rename(draft, target);
}
