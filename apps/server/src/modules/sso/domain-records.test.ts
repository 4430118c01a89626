import { createSocket, type Socket } from 'node:dgram';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTxtResolver, findProof, proofRecord, type ResolveTxt } from './domain-records.ts';

const HEADER_BYTES = 12;
const ANSWERED = 0x8180;
const NO_SUCH_NAME = 0x8183;
const FAILED = 0x8182;

let names: Socket;
let resolveTxt: ResolveTxt;
let texts: Map<string, readonly (readonly string[])[] | 'failed'>;

beforeAll(async () => {
  texts = new Map();
  names = createSocket('udp4');
  names.on('message', (question, from) => names.send(answerTo(question), from.port, from.address));
  await new Promise<void>((resolve) => names.bind(0, '127.0.0.1', resolve));
  resolveTxt = createTxtResolver([`127.0.0.1:${names.address().port}`]);
});
afterAll(() => names.close());

/** An answer of a name server as it goes over the wire: the question again, and one TXT record for each text. */
function answerTo(question: Buffer): Buffer {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const found = texts.get(labels.join('.').toLowerCase());
  const records = Array.isArray(found) ? found.map(recordOf) : [];
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(found === undefined ? NO_SUCH_NAME : found === 'failed' ? FAILED : ANSWERED, 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt16BE(0, 8);
  header.writeUInt16BE(0, 10);
  return Buffer.concat([header, question.subarray(HEADER_BYTES, at + 5), ...records]);
}

function recordOf(pieces: readonly string[]): Buffer {
  const data = Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece, 'latin1')])));
  // Name of the question, TXT, IN, no time to live, and what follows.
  return Buffer.concat([Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 255]), data]);
}

const record = proofRecord({ domain: 'harbour.example', token: 'right' });

it('finds the record among others, also where it comes in pieces', async () => {
  texts.set(record.name, [['v=spf1 -all'], ['airdeck-ver', 'ify=right']]);
  expect(await findProof(resolveTxt, record)).toBe('found');
});

it('takes nothing else for it', async () => {
  for (const text of ['airdeck-verify=rightly', 'airdeck-verify=', 'airdeck-verify=RIGHT', 'x airdeck-verify=right']) {
    texts.set(record.name, [[text]]);
    expect(await findProof(resolveTxt, record), text).toBe('missing');
  }
  texts.delete(record.name);
  texts.set('harbour.example', [[record.value]]);
  expect(await findProof(resolveTxt, record)).toBe('missing');
});

it('tells no record from no answer', async () => {
  texts.set(record.name, 'failed');
  expect(await findProof(resolveTxt, record)).toBe('unreachable');
  texts.set(record.name, []);
  expect(await findProof(resolveTxt, record)).toBe('missing');
});

it('does not ask for a name no server could have', async () => {
  const never = () => Promise.reject(new Error('asked'));
  const domain = `${'a'.repeat(60)}.`.repeat(4).slice(0, 240);
  expect(await findProof(never, proofRecord({ domain, token: 'right' }))).toBe('missing');
});
