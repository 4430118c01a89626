/**
 * A few senders in a process of their own: reads one line of JSON with what `sendUntilOver` needs, prints one with what it
 * found. Beside hundreds of others in one process a sender waits for these, and takes that for the server's time.
 */
import { createInterface } from 'node:readline';
import { type SendersOptions, sendUntilOver } from './overload-senders.ts';

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await sendUntilOver(JSON.parse(line) as SendersOptions))}\n`);
  break;
}
process.exit();
