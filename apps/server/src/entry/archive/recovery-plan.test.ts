import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { momentName, writeSealed } from './archive-folder.ts';
import { BASE_FILE, BASES, type BaseManifest, thisPlatform } from './base-copies.ts';
import { CUTS, type Cut } from './event-cuts.ts';
import { planRecovery, readLogFile } from './recovery-plan.ts';
import { PARTIAL, packedName, WAL, type WalProgress } from './wal-files.ts';
import { formatPosition, SEGMENT_BYTES, segmentName } from './wal-position.ts';

let folder: string;
const said: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airdeck-recovery-plan-'));
  for (const name of [BASES, WAL, CUTS]) await mkdir(join(folder, name));
  said.length = 0;
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Of a morning. */
const time = (clock: string) => new Date(`2026-11-24T${clock}:00.000Z`);
/** The log's files are counted from its start: 2.5 is the middle of the third one. */
const position = (files: number) => BigInt(Math.round(files * SEGMENT_BYTES));
const segment = (file: number) => segmentName(1, position(file));
const whole = (file: number) => packedName(segment(file), sha256(String(file)));
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function base(clock: string, start: number, end: number): Promise<string> {
  const name = momentName(time(clock));
  await mkdir(join(folder, BASES, name));
  await writeFile(join(folder, BASES, name, BASE_FILE), clock);
  await writeSealed(join(folder, BASES, name, 'manifest.json'), {
    ...{ format: 1, finished_at: time(clock).toISOString(), timeline: 1, product_version: '0.0.0', postgres: '18' },
    ...{ start: formatPosition(position(start)), end: formatPosition(position(end)), platform: thisPlatform() },
    file: { path: BASE_FILE, bytes: clock.length, sha256: sha256(clock) },
  } satisfies BaseManifest);
  return join(folder, BASES, name);
}

async function log(...files: number[]): Promise<void> {
  for (const file of files) await writeFile(join(folder, WAL, whole(file)), '');
}

/** The file that is being written, up to there. */
async function open(end: number): Promise<void> {
  const bytes = Math.round((end % 1) * SEGMENT_BYTES);
  await writeFile(join(folder, WAL, `${segment(Math.floor(end))}${PARTIAL}`), Buffer.alloc(bytes));
}

async function progress(clock: string, end: number): Promise<void> {
  await writeSealed(join(folder, WAL, 'progress.json'), {
    ...{ segment: segment(Math.floor(end)), bytes: Math.round((end % 1) * SEGMENT_BYTES), sha256: '' },
    ...{ end: formatPosition(position(end)), at: time(clock).toISOString() },
  } satisfies WalProgress);
}

async function cut(clock: string, at: number): Promise<void> {
  const content: Cut = {
    ...{ format: 1, at: time(clock).toISOString(), position: formatPosition(position(at)), parts: [] },
  };
  await writeSealed(join(folder, CUTS, `${momentName(time(clock))}.json`), content);
}

const plan = async (clock?: string) =>
  await planRecovery({
    folder,
    until: clock === undefined ? undefined : time(clock),
    say: (line) => void said.push(line),
  });
const refusal = async (clock?: string) =>
  await plan(clock).then(
    ({ log: files, moment }) => `not refused: ${files.length} files of log for ${moment.toISOString()}`,
    (error: Error) => error.message,
  );
const advised = (clock: string) => `--until ${time(clock).toISOString()}, the last moment before it`;
const filesOf = async (clock?: string) => (await plan(clock)).log.map((file) => file.segment);

/** Away from 08:00 to 12:00: the database has thrown away what it wrote in between, and was copied anew. */
async function awayForHours(): Promise<string> {
  await base('07:00', 1, 1.5);
  await log(1, 2);
  await open(3.5);
  await cut('07:30', 2.5);
  await cut('08:00', 3.4);
  await log(70);
  await open(71.5);
  await cut('12:00', 70.1);
  await cut('12:30', 71.2);
  await progress('12:31', 71.5);
  return await base('12:10', 70.2, 70.6);
}

describe('an archive that was away for longer than the database keeps its log', () => {
  it('does not come back to a moment in between, and names the file and the last moment before it', async () => {
    await awayForHours();
    const refused = await refusal('11:00');
    expect(refused).toContain(`${WAL}/${segment(3)}`);
    expect(refused).toContain(advised('08:00'));
  });

  it('comes back to the moment it names, with the file it was writing then', async () => {
    await awayForHours();
    expect(await filesOf('08:00')).toEqual([1, 2, 3].map(segment));
  });

  it('comes back to what is after the new copy of the database', async () => {
    await awayForHours();
    expect(await filesOf()).toEqual([70, 71].map(segment));
    expect(await filesOf('12:20')).toEqual([70, 71].map(segment));
  });

  it('does not pass off an older copy of the database as the newest moment where the new one is damaged', async () => {
    await writeFile(join(await awayForHours(), BASE_FILE), 'x');
    const refused = await refusal();
    expect(said).toContain('The copy of 2026-11-24T12:10:00.000Z is not what was written; looking for an older one.');
    expect(refused).toContain(`${WAL}/${segment(3)}`);
    expect(refused).toContain(advised('08:00'));
  });

  it('does not come back to a moment of which the log was not archived before the archive was away', async () => {
    await awayForHours();
    // A cut whose log did not come any more.
    await cut('08:01', 3.6);
    expect(await refusal('08:01')).toContain(advised('08:00'));
  });

  it('does not claim the moment of a copy whose log did not come any more', async () => {
    await base('07:00', 1, 1.5);
    await log(1, 2);
    await open(3.5);
    await cut('08:00', 3.4);
    await progress('08:00', 3.5);
    await base('12:10', 70.2, 70.6);
    expect((await plan()).moment).toEqual(time('08:00'));
    expect((await plan('12:10')).moment).toEqual(time('08:00'));
  });
});

describe('an archive without one file of its log', () => {
  beforeEach(async () => {
    await base('07:00', 1, 1.5);
    await log(1, 2, 3, 4);
    await open(5.5);
    await cut('07:30', 2.2);
    await cut('08:00', 3.2);
    await cut('09:00', 5.2);
    await progress('09:01', 5.5);
  });

  it('comes back to its newest moment while none is missing', async () => {
    expect(await filesOf()).toEqual([1, 2, 3, 4, 5].map(segment));
  });

  it('is refused, with the name of the file and the last moment before it, which can be restored', async () => {
    await rm(join(folder, WAL, whole(3)));
    for (const clock of [undefined, '09:00', '08:30', '08:00']) {
      const refused = await refusal(clock);
      expect(refused).toContain(`${WAL}/${segment(3)}`);
      expect(refused).toContain(advised('07:30'));
    }
    expect(await filesOf('07:30')).toEqual([1, 2].map(segment));
  });

  it('is refused also where it is the one that was being written', async () => {
    await rm(join(folder, WAL, `${segment(5)}${PARTIAL}`));
    const refused = await refusal();
    expect(refused).toContain(`${WAL}/${segment(5)}`);
    expect(refused).toContain(advised('08:00'));
    expect(await filesOf('08:00')).toEqual([1, 2, 3].map(segment));
  });

  it('advises a backup where no moment before it can be restored', async () => {
    await rm(join(folder, WAL, whole(2)));
    await cut('06:59', 1.1);
    expect(await refusal()).toMatch(/Use another copy of the archive, or a backup\.$/);
  });

  it('is refused also where nothing is known of how far the last file goes', async () => {
    await rm(join(folder, WAL, 'progress.json'));
    await rm(join(folder, WAL, whole(4)));
    expect(await refusal()).toContain(`${WAL}/${segment(4)}`);
  });
});

describe('an archive that ended without warning', () => {
  beforeEach(async () => {
    await base('07:00', 1, 1.5);
    await log(1);
    await open(2.5);
    await cut('08:00', 2.2);
  });

  it('comes back to what there is where nothing is known of how far the last file goes', async () => {
    expect(await filesOf()).toEqual([1, 2].map(segment));
  });

  it('comes back to a moment whose cut is ahead of the log', async () => {
    await progress('08:02', 2.5);
    await cut('08:01', 2.7);
    expect(await filesOf('08:01')).toEqual([1, 2].map(segment));
  });

  it('comes back to what there is where the last file is shorter than it was', async () => {
    await progress('08:01', 2.5);
    await open(2.1);
    expect(await filesOf()).toEqual([1, 2].map(segment));
  });
});

describe('an archive in which the description of a copy of the database is damaged', () => {
  beforeEach(async () => {
    await base('07:00', 1, 1.5);
    await base('08:00', 2.1, 2.5);
    await log(1, 2);
    await open(3.5);
    await cut('07:30', 1.8);
    await cut('08:30', 3.2);
    await progress('08:31', 3.5);
  });
  const damage = async (which: number) => {
    const name = (await readdir(join(folder, BASES))).sort().at(which) ?? '';
    await writeFile(join(folder, BASES, name, 'manifest.json'), '{');
    return name;
  };

  it('begins from the older one, and says so', async () => {
    const name = await damage(1);
    const { base: from, log: files, moment } = await plan();
    expect(from.finished_at).toBe(time('07:00').toISOString());
    expect(files.map((file) => file.segment)).toEqual([1, 2, 3].map(segment));
    expect(moment).toEqual(time('08:31'));
    expect(said).toEqual([`${BASES}/${name}/manifest.json is not what was written; that copy is left out.`]);
  });

  it('comes back to moments after the other one', async () => {
    await damage(0);
    expect((await plan('08:30')).base.finished_at).toBe(time('08:00').toISOString());
    expect(await refusal('07:30')).toContain('goes back to 2026-11-24T08:00:00.000Z');
  });

  it('is refused where no other is left', async () => {
    await damage(0);
    await damage(1);
    expect(await refusal()).toContain('no whole copy of the database');
  });
});

describe('an archive in which a list of events is damaged', () => {
  beforeEach(async () => {
    await base('07:00', 1, 1.5);
    await log(1, 2);
    await open(3.5);
    await cut('07:30', 1.8);
    await cut('08:00', 2.2);
    await cut('08:30', 3.2);
    await progress('08:31', 3.5);
  });
  const damage = async (clock: string) => {
    const name = `${CUTS}/${momentName(time(clock))}.json`;
    await writeFile(join(folder, name), '{');
    return `The list of events ${name} is not what was written and is passed over.`;
  };
  const cutOf = async (clock?: string) => (await plan(clock)).cut?.at;

  it('takes the one before where it is the newest, and says so once', async () => {
    const told = await damage('08:30');
    expect(await cutOf()).toBe(time('08:00').toISOString());
    expect(said).toEqual([told]);
  });

  it('takes the next one after the moment that was asked for', async () => {
    const told = await damage('08:00');
    expect(await cutOf('07:45')).toBe(time('08:30').toISOString());
    expect(said).toEqual([told]);
  });

  it('takes the newest one before the moment where none after it is whole', async () => {
    await damage('08:00');
    await damage('08:30');
    expect(await cutOf('07:45')).toBe(time('07:30').toISOString());
  });

  it('names the last moment whose list is whole where a file of the log is missing', async () => {
    await damage('08:00');
    await rm(join(folder, WAL, `${segment(3)}${PARTIAL}`));
    expect(await refusal()).toContain(advised('07:30'));
  });

  it('comes back without events where none is left', async () => {
    for (const clock of ['07:30', '08:00', '08:30']) await damage(clock);
    expect(await cutOf()).toBeUndefined();
    expect(said).toHaveLength(3);
  });
});

describe('an archive of which nothing says how far its log goes', () => {
  beforeEach(async () => {
    await base('07:00', 1, 1.5);
    await log(1, 2);
    await open(3.5);
    await cut('08:00', 2.2);
    await cut('08:30', 3.2);
    // Its log did not come any more.
    await cut('08:31', 3.7);
    await writeFile(join(folder, WAL, 'progress.json'), '');
  });
  const told = `${WAL}/progress.json is not what was written: how far the log goes is taken from the files beside it.`;

  it('comes back to the newest moment whose log is there, and says so once', async () => {
    expect((await plan()).moment).toEqual(time('08:30'));
    expect(said).toEqual([told]);
  });

  it('comes back to a moment that was asked for', async () => {
    expect(await filesOf('08:10')).toEqual([1, 2, 3].map(segment));
    expect((await plan('08:10')).moment).toEqual(time('08:10'));
  });

  it('does not promise that the end of its last file is whole', async () => {
    const last = { segment: segment(3), sha256: undefined };
    await readLogFile(folder, last, (line) => void said.push(line));
    expect(said).toEqual([expect.stringContaining('How much of the last file of the log is whole is not known')]);
  });

  it('still names a gap', async () => {
    await rm(join(folder, WAL, whole(2)));
    expect(await refusal()).toContain(`${WAL}/${segment(2)} is missing`);
  });
});
