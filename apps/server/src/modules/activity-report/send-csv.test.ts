import { expect, it } from 'vitest';
import { sendCsv } from './send-csv.ts';

function fakeReply() {
  const sent: { headers?: Record<string, unknown>; body?: Buffer } = {};
  const raw = {
    writeHead: (_status: number, headers: Record<string, unknown>) => void Object.assign(sent, { headers }),
    end: (body: Buffer) => void Object.assign(sent, { body }),
  };
  const reply = { raw, hijack: () => undefined, getHeaders: () => ({ 'x-request-id': 'r1' }) };
  return { sent, reply: reply as never };
}

it('a table is a file to be saved; a cell without a value is empty, and one a spreadsheet would calculate is text', async () => {
  const { sent, reply } = fakeReply();
  await sendCsv(reply, 'soar-actions', {
    columns: ['name', 'count'],
    rows: [
      ['=1+1', 3],
      ['Block "it", now', null],
    ],
  });
  expect(sent.body?.toString()).toBe(`\ufeffname,count\r\n"'=1+1",3\r\n"Block ""it"", now",\r\n`);
  expect(sent.headers).toMatchObject({ 'x-request-id': 'r1', 'content-length': sent.body?.length });
  expect(String(sent.headers?.['content-disposition'])).toContain('soar-actions');
});

it('leaves others their turn while a long table is written, and loses no row of it', async () => {
  function* rows() {
    for (let at = 0; at < 50_000; at++) yield ['row', at] as const;
  }
  let turns = 0;
  let next: NodeJS.Immediate;
  const others = () => {
    turns++;
    next = setImmediate(others);
  };
  next = setImmediate(others);
  const { sent, reply } = fakeReply();
  await sendCsv(reply, 'long', { columns: ['name', 'at'], rows: rows() });
  clearImmediate(next);
  const lines = sent.body?.toString().trimEnd().split('\r\n') ?? [];
  expect(lines).toHaveLength(50_001);
  expect(lines.at(-1)).toBe('row,49999');
  expect(lines[1_000]).toBe('row,999');
  expect(turns).toBeGreaterThanOrEqual(50);
});
