import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer, type TestServer } from './test-server.ts';

/** What ends a line, starts one that looks like ours, or is an order to a terminal. */
const texts = [
  'x\n{"level":30,"msg":"session.sign_in","user":"admin"}',
  'x\r\n{"level":50,"msg":"all is well"}',
  'x\u2028{"level":30}',
  'x\u0085{"level":30}',
  '\u001b[2J\u001b[1;1Hall is well',
  '\u009b2J\u009d0;title\u0007',
  '\u0000\u0008\u0008\u0008',
  '\u202egnol si siht',
  '"}{"level":30,"msg":"all is well',
];
/** Ends of lines, orders to a terminal, and what turns the direction of a text. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e]/u;

const lines: string[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer({
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  });
});
afterAll(() => server?.close());

it('no text of a request ends a line of the log, begins another or orders a terminal about', async () => {
  const tenant = await server.createTenant();
  const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const before = lines.length;
  for (const text of texts) {
    const inPath = encodeURIComponent(text);
    for (const id of Object.keys(routeTable) as RouteId[]) {
      const { method, path } = routeTable[id];
      const url = `${path.replace('{tenant}', tenant).replace(/\{\w+\}/g, () => (method === 'GET' ? inPath : v7()))}?q=${inPath}`;
      const answer = await server.inject({
        method,
        url,
        headers: {
          ...admin.headers,
          'user-agent': Buffer.from(text)
            .toString('latin1')
            .replace(/[\r\n\0]/g, '?'),
        },
        ...(method === 'GET' ? {} : { payload: { name: text, [text]: text } }),
        payloadAsStream: true,
      });
      answer.stream().destroy();
    }
  }
  const wrong = lines.filter((line) => {
    const { msg } = JSON.parse(line) as { msg?: unknown };
    return line.indexOf('\n') !== line.length - 1 || CONTROLS.test(line.slice(0, -1)) || msg === 'all is well';
  });
  expect(wrong).toEqual([]);
  expect(lines.length - before).toBeGreaterThan(texts.length * Object.keys(routeTable).length);
});
