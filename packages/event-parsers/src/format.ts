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

/**
 * The event, and the name of the format that took the record; `raw` when none did. `envelope` names the syslog header around
 * the format, if there was one.
 */
export type Recognised = { format: string; envelope?: string; event: ParsedEvent };

/** A kind of header around a text. Returns undefined for a line without that header. */
export type EnvelopeFormat = {
  readonly name: string;
  read(line: string, receivedAt: number): SyslogHeader | undefined;
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
  /** What follows time and host, with the name of the program if there is one. */
  readonly body: string;
  /** What follows the name of the program. */
  readonly message: string;
};

/**
 * What one product writes, behind a syslog header or on a line of its own. Gets the event with the header's columns already
 * filled and adds to its fields; must leave it alone when it returns undefined, and must refuse foreign text cheaply: every
 * line is shown to it.
 */
export type MessageFormat = {
  readonly name: string;
  /** Text every line of this kind holds: lines without it are not even shown to `parse`. */
  readonly needs?: string;
  parse(event: ParsedEvent, header: SyslogHeader, reception: Reception): ParsedEvent | undefined;
};
