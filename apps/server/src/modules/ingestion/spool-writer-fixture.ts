/** A process that writes numbered lines into a spool until it is killed, and says which ones are safe. For `spool.test.ts`. */
import { writeSync } from 'node:fs';
import { v7 } from 'uuid';
import { createSpool } from './spool.ts';
import { openSpoolFolder } from './spool-folder.ts';

const [folder = '', first = '0'] = process.argv.slice(2);
let next = Number(first);

const spool = await createSpool({
  folder: await openSpoolFolder(folder),
  ids: v7,
  maxBytes: 1_073_741_824,
  segmentBytes: 200_000,
  onTaken: (lines) => {
    writeSync(1, `${lines.map(({ bytes }) => bytes.toString('latin1').split(' ', 1)[0]).join('\n')}\n`);
    more();
  },
  onLost: () => undefined,
  onRoom: () => undefined,
  log: { warn: (_fields, message) => writeSync(2, `${message}\n`) },
});

function more(): void {
  for (let count = 0; count < 200; count++) {
    const text = `${next} ${'x'.repeat((next * 7919) % 900)}`;
    next++;
    spool.append({ door: 'tcp', address: '192.0.2.1', receivedAt: Date.now(), bytes: Buffer.from(text, 'latin1') });
  }
}
more();
