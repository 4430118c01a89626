/** A name server on this machine that knows TXT records, for tests. Answers as a real one does over UDP. */
import { createSocket } from 'node:dgram';

const HOST = '127.0.0.1';
const HEADER_BYTES = 12;
const ANSWERED = 0x8180;
const NO_SUCH_NAME = 0x8183;
const FAILED = 0x8182;

export type NameServer = {
  /** As `node:dns` and `DNS_SERVERS` take it. */
  address: string;
  /** Texts by name in small letters, each in the pieces it comes in; a name that is not here does not exist. */
  texts: Map<string, readonly (readonly string[])[] | 'failed'>;
  close(): void;
};

/** Port 0 takes a free one. */
export async function startNameServer(port = 0): Promise<NameServer> {
  const texts: NameServer['texts'] = new Map();
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => socket.send(answerTo(question, texts), from.port, from.address));
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, HOST, resolve);
  });
  return { address: `${HOST}:${socket.address().port}`, texts, close: () => socket.close() };
}

/** The question again, and one TXT record for each text. */
function answerTo(question: Buffer, texts: NameServer['texts']): Buffer {
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
