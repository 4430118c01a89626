import { describe, expect, test } from 'vitest';
import { createEventStreamParser } from './event-stream-parser.ts';

const text =
  ': hello\r\n\r\nevent: case\ndata: {"id":\ndata: 1}\nid: 7\n\nretry: 2500\ndata:no space\r\rdata: last\n\n';
const events = [
  { event: 'case', data: '{"id":\n1}' },
  { event: 'message', data: 'no space' },
  { event: 'message', data: 'last' },
];

describe('event stream', () => {
  test('comments, all line ends, several data lines, ids and retry', () => {
    const parser = createEventStreamParser();
    expect(parser.push(text)).toEqual(events);
    expect(parser.retryMs()).toBe(2500);
    expect(parser.lastId()).toBe('7');
  });

  test('events are the same wherever the text is cut', () => {
    for (let size = 1; size < text.length; size += 1) {
      const parser = createEventStreamParser();
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
      expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(events);
    }
  });

  test('an event without its empty line is not given out', () => {
    expect(createEventStreamParser().push('data: half\n')).toEqual([]);
  });

  test('an event without data is none, and leaves no name behind', () => {
    expect(createEventStreamParser().push('event: case\n\ndata: x\n\n')).toEqual([{ event: 'message', data: 'x' }]);
  });

  test('an id counts once its event is complete, or what was cut off would never be sent again', () => {
    const parser = createEventStreamParser('3');
    parser.push('id: 4\ndata: half');
    expect(parser.lastId()).toBe('3');
    parser.push('\n\n');
    expect(parser.lastId()).toBe('4');
    parser.push('id: 5\n\n');
    expect(parser.lastId()).toBe('5');
  });

  test('a byte order mark at the start is skipped', () => {
    expect(createEventStreamParser().push('\uFEFFdata: x\n\n')).toHaveLength(1);
  });
});
