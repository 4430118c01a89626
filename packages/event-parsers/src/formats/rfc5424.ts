import { readTime } from '../event-time.ts';
import type { SyslogHeader } from '../format.ts';
import { readPriority } from '../syslog-priority.ts';

const HEADER = /^1 (\S{1,40}) (\S{1,255}) (\S{1,128}) (\S{1,128}) (\S{1,128}) ?/;
const ELEMENT = /^\[([^\s=\]"]{1,128})/;
const PARAMETER = /^ ([^\s=\]"]{1,128})="/;

/**
 * RFC 5424: `<34>1 2026-02-22T16:45:20.003Z host app 1234 ID47 [id name="value"] message`. Names may be longer than the RFC
 * allows. Structured data that breaks off makes the rest of the line the message: nothing is thrown away.
 */
export function readRfc5424(line: string): SyslogHeader | undefined {
  const priority = readPriority(line);
  if (priority === undefined) return undefined;
  const header = HEADER.exec(line.slice(priority.length));
  if (header === null) return undefined;
  const [text, time, host = '', app = '', procId = '', msgId = ''] = header;
  const rest = line.slice(priority.length + text.length);
  const { data, end } = readStructuredData(rest);
  return {
    facility: priority.facility,
    severity: priority.severity,
    time: readTime(time),
    host: named(host),
    app: named(app),
    procId: named(procId),
    msgId: named(msgId),
    structuredData: data,
    message: withoutMark(rest.slice(end).replace(/^ /, '')),
  };
}

type StructuredData = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Reads `-` or one element after the other; `end` is where the message begins. */
function readStructuredData(text: string): { data: StructuredData | undefined; end: number } {
  if (text.startsWith('-')) return { data: undefined, end: 1 };
  const data: Record<string, Record<string, string>> = Object.create(null);
  let at = 0;
  while (text[at] === '[') {
    const element = readElement(text, at);
    if (element === undefined) return { data: undefined, end: 0 };
    data[element.id] = element.parameters;
    at = element.end;
  }
  return { data: at === 0 ? undefined : data, end: at };
}

type Element = { id: string; parameters: Record<string, string>; end: number };

function readElement(text: string, start: number): Element | undefined {
  const opening = ELEMENT.exec(text.slice(start, start + 130));
  if (opening === null) return undefined;
  const parameters: Record<string, string> = Object.create(null);
  let at = start + opening[0].length;
  while (text[at] !== ']') {
    const name = PARAMETER.exec(text.slice(at, at + 132));
    const value = name === null ? undefined : readValue(text, at + name[0].length);
    if (name === null || value === undefined) return undefined;
    parameters[name[1] ?? ''] = value.text;
    at = value.end;
  }
  return { id: opening[1] ?? '', parameters, end: at + 1 };
}

/** Up to the closing quote; `\"`, `\\` and `\]` stand for the second character. */
function readValue(text: string, start: number): { text: string; end: number } | undefined {
  let value = '';
  let from = start;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === '"') return { text: value + text.slice(from, at), end: at + 1 };
    if (char === '\\' && '"\\]'.includes(text[at + 1] ?? ' ')) {
      value += text.slice(from, at);
      from = ++at;
    }
  }
  return undefined;
}

function named(value: string): string {
  return value === '-' ? '' : value;
}

function withoutMark(message: string): string {
  return message.startsWith('\uFEFF') ? message.slice(1) : message;
}
