/**
 * The event store in the archive.
 *
 * A part of the store never changes once it is there: what comes in makes a new one, and merging makes a new one of
 * several. So a moment of the store is a list of parts, and between two moments only the new ones are copied. A cut takes
 * the store at one moment (FREEZE makes hard links, in milliseconds), copies the parts the archive lacks, and writes the
 * list. `position` is how far the database's log was before: every batch the database knew as done by then is in the cut.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ask, type EventsAccess } from '../backup/events-access.ts';
import { ArchiveError } from './archive-error.ts';
import { emptyWhenMissing, listWhole, momentName, momentOf, readSealed, writeSealed } from './archive-folder.ts';
import { contentIdOf, packPart } from './packed-part.ts';

export const CUTS = 'cuts';
export const PARTS = 'parts';
const FROZEN = 'airdeck_archive';

const cutSchema = z.object({
  format: z.literal(1),
  at: z.iso.datetime(),
  position: z.string(),
  parts: z.array(
    z.object({
      name: z.string().regex(/^[0-9]+(?:_[0-9]+){3,4}$/),
      id: z.string().regex(/^[0-9a-f]{32}$/),
      rows: z.int().min(0),
      bytes: z.int().min(0),
      sha256: z.string(),
    }),
  ),
});
export type Cut = z.output<typeof cutSchema>;
export type ArchivedPart = Cut['parts'][number];

export function partFile({ name, id }: Pick<ArchivedPart, 'name' | 'id'>): string {
  return `${name}-${id}.part`;
}

export async function listCuts(folder: string): Promise<string[]> {
  return (await listWhole(join(folder, CUTS))).filter((name) => name.endsWith('.json'));
}

async function readCut(folder: string, name: string): Promise<Cut> {
  const cut = await readSealed(join(folder, CUTS, name), cutSchema);
  if (cut === undefined) throw new ArchiveError('damaged', name);
  return cut;
}

/** Undefined, and told, for a list that is not what was written. */
export async function readWholeCut(
  folder: string,
  name: string,
  say: (line: string) => void,
): Promise<Cut | undefined> {
  try {
    return await readCut(folder, name);
  } catch (error) {
    if (!(error instanceof ArchiveError && error.trouble === 'damaged')) throw error;
    say(`The list of events ${CUTS}/${name} is not what was written and is passed over.`);
    return undefined;
  }
}

export type EventCuts = {
  take(moment: { at: Date; position: string }): Promise<Cut>;
  /** Takes away cuts that are closer together than anybody needs, those before `oldest`, and parts of no cut. */
  thinOut(times: { now: Date; oldest: Date | undefined }): Promise<void>;
};

export async function openEventCuts(deps: {
  folder: string;
  events: EventsAccess;
  /** Of the event store. */
  storeFolder: string;
  say: (line: string) => void;
}): Promise<EventCuts> {
  const { folder, events, storeFolder, say } = deps;
  const known = new Map<string, ArchivedPart>();
  /** Files of the parts of each cut. */
  const cuts = new Map<string, readonly string[]>();
  for (const name of await listCuts(folder)) {
    // A damaged one goes when its time comes, as the others do.
    const parts = (await readWholeCut(folder, name, say))?.parts ?? [];
    for (const part of parts) known.set(partFile(part), part);
    cuts.set(name, parts.map(partFile));
  }
  const shadow = join(storeFolder, 'shadow', FROZEN);

  async function copyPart(part: string, name: string): Promise<ArchivedPart> {
    const id = await contentIdOf(part);
    const file = partFile({ name, id });
    const there = known.get(file);
    if (there !== undefined) return there;
    const rows = Number((await readFile(join(part, 'count.txt'), 'utf8')).trim());
    // Written anew also when a crash left it without a cut that knows its hash.
    const packed = await packPart(part, join(folder, PARTS, file));
    const archived = { name, id, rows, ...packed };
    known.set(file, archived);
    return archived;
  }

  return {
    async take({ at, position }) {
      await rm(shadow, { recursive: true, force: true });
      const parts: ArchivedPart[] = [];
      try {
        await events.client.command({ query: `alter table ${events.table} freeze with name '${FROZEN}'` });
        for (const { path, name } of await frozenParts(shadow)) parts.push(await copyPart(path, name));
      } finally {
        // What merges have replaced meanwhile takes room as long as it is linked here.
        await rm(shadow, { recursive: true, force: true });
      }
      const cut: Cut = { format: 1, at: at.toISOString(), position, parts };
      const name = `${momentName(at)}.json`;
      await writeSealed(join(folder, CUTS, name), cut);
      cuts.set(name, parts.map(partFile));
      return cut;
    },
    async thinOut({ now, oldest }) {
      for (const name of superfluous([...cuts.keys()], { now, oldest })) {
        await rm(join(folder, CUTS, name), { force: true });
        cuts.delete(name);
      }
      const wanted = new Set([...cuts.values()].flat());
      for (const file of await readdir(join(folder, PARTS)).catch(emptyWhenMissing)) {
        if (wanted.has(file)) continue;
        await rm(join(folder, PARTS, file), { force: true });
        known.delete(file);
      }
    },
  };
}

const ALL_FOR_MS = 3_600_000;
const THEN_EVERY_MS = 600_000;

/** Of the last hour all are kept, before that one of ten minutes. The newest always stays. */
export function superfluous(names: readonly string[], times: { now: Date; oldest: Date | undefined }): string[] {
  const sorted = [...names].sort();
  const gone: string[] = [];
  let slot: number | undefined;
  // The last of each ten minutes stays: what is restored to a moment needs a cut after it.
  for (const name of sorted.slice(0, -1).reverse()) {
    const at = momentOf(name).getTime();
    if (times.now.getTime() - at < ALL_FOR_MS) continue;
    const own = Math.floor(at / THEN_EVERY_MS);
    if (own === slot || (times.oldest !== undefined && at < times.oldest.getTime())) gone.push(name);
    slot = own;
  }
  return gone;
}

async function frozenParts(shadow: string): Promise<{ path: string; name: string }[]> {
  const found: { path: string; name: string }[] = [];
  for (const prefix of await readdir(join(shadow, 'store')).catch(emptyWhenMissing)) {
    for (const table of await readdir(join(shadow, 'store', prefix))) {
      for (const name of await readdir(join(shadow, 'store', prefix, table))) {
        const path = join(shadow, 'store', prefix, table, name);
        if ((await stat(path)).isDirectory()) found.push({ path, name });
      }
    }
  }
  return found;
}

/** Where the table keeps its parts. */
export async function tableFolder(events: EventsAccess): Promise<string> {
  const [row] = await ask<{ path: string }>(
    events,
    `select data_paths[1] as path from system.tables where database = {database:String} and name = 'events'`,
    { database: events.database },
  );
  if (row === undefined) throw new Error('the event store has no table of events');
  return row.path;
}
