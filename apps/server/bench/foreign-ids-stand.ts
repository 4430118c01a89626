/**
 * A server with two tenants, one with a thing of each kind: `tsx foreign-ids-stand.ts <empty folder>` prints one line of JSON
 * with what `runForeignIdsBench` needs. Ends on SIGTERM.
 */
import { startComposedStand } from './composed-stand.ts';
import type { ForeignIdsStand } from './foreign-ids-bench.ts';

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('Name an empty folder.');
const { url, createMember } = await startComposedStand(dataDir);
const [asking, owner] = [await createMember('Admin'), await createMember('Admin')];
console.log(JSON.stringify({ url, asking, owner } satisfies ForeignIdsStand));
