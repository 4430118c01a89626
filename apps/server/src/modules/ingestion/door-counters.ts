/** What happened at one door since the start. Nothing is lost without being counted here. */
export type DoorCounters = {
  /** Events made durable. */
  accepted: number;
  /** Records or requests refused, with an answer that says so. */
  rejected: number;
  /** Lines lost because they could neither be kept nor refused: a full buffer (UDP), a sender nobody knows, a wrong token. */
  dropped: number;
  /** Lines that were not what the door expects; they are kept as raw events, or cut where too long. */
  malformed: number;
  /** Deliveries that equalled one of the last ten minutes, which nothing but their body tells, and were not stored again. */
  repeated: number;
};

export type IngestionStats = {
  http: DoorCounters;
  syslog_tcp: DoorCounters;
  syslog_udp: DoorCounters;
  syslog_tls: DoorCounters;
  held_bytes: number;
  /** Lines on disk that wait for the stores, in bytes, and places where they could not be read. */
  spool: { bytes: number; damaged: number };
};

export function newDoorCounters(): DoorCounters {
  return { accepted: 0, rejected: 0, dropped: 0, malformed: 0, repeated: 0 };
}
