import { readTime } from '../event-time.ts';
import type { EnvelopeFormat, SyslogHeader } from '../format.ts';
import { type Priority, readPriority } from '../syslog-priority.ts';
import { assemble } from './rfc3164.ts';

/** Older ones of Check Point have a space in the time. */
const HEADER =
  /^1 (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\S{0,16}|\S{1,40}) (\S{1,255}) (\S{1,128}) (\S{1,128}) (\S{1,128}) ?/;
/** What many call RFC 5424 keeps only its first three words: `1 2026-02-22T16:45:20Z host CEF:0|…`. */
const SHORT_HEADER = /^1 (\d{4}-\d{2}-\d{2}T\S{1,30}) (\S{1,255}) /;
const ELEMENT = /^\[([^\s=\]"]{1,128})/;
const PARAMETER = /^ ([^\s=\]"]{1,128})="/;

/**
 * RFC 5424: `<34>1 2026-02-22T16:45:20.003Z host app 1234 ID47 [id name="value"] message`. Names may be longer than the RFC
 * allows. Structured data that breaks off makes the rest of the line the message: nothing is thrown away. What follows time
 * and host without the RFC's other words is read as RFC 3164 would.
 */
export const rfc5424Format: EnvelopeFormat = {
  name: 'rfc5424',
  read(line) {
    const priority = readPriority(line);
    if (priority === undefined || line[priority.length] !== '1' || line[priority.length + 1] !== ' ') return undefined;
    const text = line.slice(priority.length);
    const header = HEADER.exec(text);
    const isWhole =
      header !== null && isTime(header[1]) && !isBodyStart(header[3]) && startsData(text.charCodeAt(header[0].length));
    return isWhole ? fullHeader(priority, header, text) : shortHeader(priority, text);
  },
};

function fullHeader(priority: Priority, header: RegExpExecArray, text: string): SyslogHeader {
  const [start, time, host = '', app = '', procId = '', msgId = ''] = header;
  const rest = text.slice(start.length);
  const { data, end } = readStructuredData(rest);
  const message = withoutMark(rest.slice(end).replace(/^ /, ''));
  return {
    facility: priority.facility,
    severity: priority.severity,
    time: readTime(oneZone(time)),
    host: named(host),
    app: named(app.endsWith(':') ? app.slice(0, -1) : app),
    procId: named(procId),
    msgId: named(msgId),
    structuredData: data,
    body: message,
    message,
  };
}

function shortHeader(priority: Priority, text: string): SyslogHeader | undefined {
  const found = SHORT_HEADER.exec(text);
  if (found === null) return undefined;
  const [start, time, host = ''] = found;
  const rest = withoutMark(text.slice(start.length));
  return assemble({ priority, time: readTime(oneZone(time)), host: named(host), rest });
}

function isTime(text: string | undefined): boolean {
  return text === '-' || (text !== undefined && text[4] === '-' && (text[10] === 'T' || text[10] === ' '));
}

function isBodyStart(word: string | undefined): boolean {
  return word !== undefined && (word.startsWith('CEF:') || word.startsWith('LEEF:') || word.startsWith('{'));
}

/** `-`, `[`, or the end of the line. */
function startsData(code: number): boolean {
  return code === 45 || code === 91 || Number.isNaN(code);
}

/** Some senders add a `Z` to a time that has one. */
function oneZone(time: string | undefined): string | undefined {
  return time?.endsWith('ZZ') ? time.slice(0, -1) : time;
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
