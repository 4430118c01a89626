export type ServerSentEvent = {
  /** Name of the event, `message` unless the server named it. */
  readonly event: string;
  readonly data: string;
};

export type EventStreamParser = {
  /** Takes the next piece of text, cut anywhere, and returns the events that became complete. */
  push(text: string): ServerSentEvent[];
  /** Of the last event that was complete, also of one without data; it says where to go on. */
  lastId(): string;
  /** Reconnection delay the server asked for, in milliseconds. */
  retryMs(): number | undefined;
};

/** Parser of `text/event-stream` by the HTML standard; comments (heartbeats) produce nothing. `lastId` is that of before. */
export function createEventStreamParser(lastId = ''): EventStreamParser {
  let rest = '';
  let first = true;
  let event = '';
  let data: string[] = [];
  let id = lastId;
  let completeId = lastId;
  let retry: number | undefined;

  function takeField(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line.charAt(colon + 1) === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) retry = Number(value);
  }

  function takeLine(line: string): ServerSentEvent | undefined {
    if (line !== '') {
      takeField(line);
      return undefined;
    }
    const complete = data.length === 0 ? undefined : { event: event || 'message', data: data.join('\n') };
    completeId = id;
    event = '';
    data = [];
    return complete;
  }

  return {
    push(text) {
      rest += first && text.startsWith('\uFEFF') ? text.slice(1) : text;
      if (text !== '') first = false;
      // A carriage return at the very end may be half of a line break, so it waits for the next piece.
      const held = rest.endsWith('\r') ? '\r' : '';
      const lines = rest.slice(0, rest.length - held.length).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? '') + held;
      return lines.flatMap((line) => takeLine(line) ?? []);
    },
    lastId: () => completeId,
    retryMs: () => retry,
  };
}
