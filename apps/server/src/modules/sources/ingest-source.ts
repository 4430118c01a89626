import type { SourceKind } from '@airdeck/contracts/sources/schema';

/** What a door needs to know of the source that sends. */
export type IngestSource = {
  id: string;
  tenantId: string;
  name: string;
  kind: SourceKind;
  retentionDays: number;
  /** Set for events that a connector fetched. */
  connectorId?: string;
};

/** Which source a sender speaks for. */
export interface SourceFinder {
  /** Undefined for every token that is not exactly the one of a source. */
  byToken(token: string): Promise<IngestSource | undefined>;
  /** A syslog line without a token: by the sender's address, else the default of the listener. */
  bySender(address: string): Promise<IngestSource | undefined>;
  /** A syslog line without a token that came in at the door of one source. */
  byPort(port: number): Promise<IngestSource | undefined>;
}
