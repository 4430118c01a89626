/**
 * What a backup holds, written last: a folder without a whole manifest is a backup that broke off. It carries the SHA-256
 * of itself, so that a change in it is seen like one in any other file.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';
import { makeDurable, USE_ANOTHER } from './packed-file.ts';

export const MANIFEST = 'manifest.json';
const FORMAT = 1;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
/** Relative and below the backup, whatever somebody wrote into the manifest. */
const pathSchema = z
  .string()
  .regex(/^[\w.-]+(\/[\w.-]+)*$/)
  .refine((path) => !path.split('/').includes('..'));
const fileSchema = z.object({ path: pathSchema, bytes: z.int().min(0), sha256: sha256Schema });

const tableSchema = fileSchema.extend({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.int().min(0),
  /** Over the rows in the order of the primary key, as COPY writes them. */
  rows_sha256: sha256Schema,
});

const eventsSchema = fileSchema.extend({
  /** Month, as the event store divides itself. */
  partition: z.string(),
  rows: z.int().min(0),
  /** Sum of a hash of every event: the same events in any order give the same. */
  rows_hash: z.string(),
});

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  product_version: z.string(),
  /** Moment of the snapshot; nothing later is in the backup. */
  taken_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  migrations: z.array(z.object({ id: z.string(), checksum: z.string() })),
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), value: z.string() })),
  events: z.array(eventsSchema),
  files: z.array(fileSchema),
  /** `elsewhere` is in a file the operator named. */
  keys: z.discriminatedUnion('kept', [
    z.object({ kept: z.literal('inside'), file: fileSchema }),
    z.object({ kept: z.literal('elsewhere'), sha256: sha256Schema }),
    z.object({ kept: z.literal('no') }),
  ]),
});

export type Manifest = z.output<typeof manifestSchema>;
export type TableFacts = Manifest['tables'][number];
export type EventsFacts = Manifest['events'][number];

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const draft = join(folder, `${MANIFEST}.new`);
  const sealed = { sha256: sealOf(manifest), manifest };
  await writeFile(draft, `${JSON.stringify(sealed, null, 1)}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(folder, MANIFEST));
  await makeDurable(folder);
}

/** Throws a `BackupError` for what is no whole backup, or one of a later format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) {
    const names = await readdir(folder).catch(() => undefined);
    throw new BackupError(
      names === undefined || names.length === 0
        ? `There is no backup in ${folder}.`
        : `${folder} holds no whole backup: ${MANIFEST} is missing, which is written last, so the backup broke off. ${USE_ANOTHER}`,
    );
  }
  const damaged = new BackupError(`The backup is damaged: ${MANIFEST} is not what was written. ${USE_ANOTHER}`);
  let sealed: { sha256?: unknown; manifest?: unknown };
  try {
    sealed = JSON.parse(text) as typeof sealed;
  } catch {
    throw damaged;
  }
  if (sealed.manifest === undefined || sealed.sha256 !== sealOf(sealed.manifest)) throw damaged;
  const { format } = sealed.manifest as { format?: unknown };
  if (format !== FORMAT) {
    throw new BackupError(
      `This backup has format ${String(format)}, and this version reads ${FORMAT}. Restore it with the version that made it.`,
    );
  }
  const parsed = manifestSchema.safeParse(sealed.manifest);
  if (!parsed.success) throw damaged;
  return parsed.data;
}

function sealOf(manifest: unknown): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex');
}
