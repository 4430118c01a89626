import type { ParsedEvent } from '@airdeck/contracts/events/event';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a parser knows besides the record itself. */
export type Reception = {
  /** When the record arrived, in milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The record as it came, cleaned and cut to the size that is kept. */
  readonly raw: string;
};

/** A kind of JSON record. Returns undefined for a record of another kind; must not change the object. */
export type ObjectFormat = {
  readonly name: string;
  parse(object: JsonObject, reception: Reception): ParsedEvent | undefined;
};

/** A kind of text line. Returns undefined for a line of another kind. */
export type LineFormat = {
  readonly name: string;
  parse(line: string, reception: Reception): ParsedEvent | undefined;
};

/** What a syslog header says, whichever of the two RFCs it follows. */
export type SyslogHeader = {
  /** 0–23 and 0–7; undefined without a priority. */
  readonly facility: number | undefined;
  readonly severity: number | undefined;
  /** Undefined where the line has no usable time. */
  readonly time: number | undefined;
  readonly host: string;
  readonly app: string;
  readonly procId: string;
  readonly msgId: string;
  readonly structuredData: JsonObject | undefined;
  readonly message: string;
};

/** What one program writes behind a syslog header. Gets the event with the header's columns already filled. */
export type MessageFormat = {
  readonly name: string;
  parse(event: ParsedEvent, header: SyslogHeader, reception: Reception): ParsedEvent | undefined;
};
