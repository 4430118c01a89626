/**
 * A server with one tenant: `tsx alert-stand.ts <empty folder> <port of the vendor>` prints one line of JSON with what
 * `runAlertBench` needs. Ends on SIGTERM.
 */
import type { AlertStand } from './alert-bench.ts';
import { startComposedStand } from './composed-stand.ts';

const [dataDir, vendorPort] = process.argv.slice(2);
if (dataDir === undefined || vendorPort === undefined) throw new Error('Name an empty folder and a port.');
const { url, createMember } = await startComposedStand(dataDir, {
  vendor: { host: '127.0.0.1', port: Number(vendorPort) },
});
console.log(JSON.stringify({ url, member: await createMember('Admin') } satisfies AlertStand));
