import type { SourceKind } from '@airdeck/contracts/sources/schema';
import type { Generated } from 'kysely';

export type SourcesTables = {
  event_source: {
    id: string;
    tenant_id: string;
    name: string;
    kind: SourceKind;
    /** SHA-256 of the token; the token itself is nowhere. */
    token_hash: Buffer;
    token_hint: string;
    /** Takes the syslog lines that name no source. At most one in the whole installation. */
    syslog_default: Generated<boolean>;
    /** Senders whose lines without a token belong to this source. */
    sender_addresses: Generated<string[]>;
    /** The connector whose fetched events are its; such a source is nobody's to see or send to. */
    connector_id: Generated<string | null>;
    created_at: Date;
    /** Nobody sees it or sends to it any more; its events and figures stay. */
    deleted_at: Generated<Date | null>;
    /** Of the request that made it, where an Idempotency-Key made its id. */
    request_hash: Generated<string | null>;
  };
  /** Events and bytes of original text by the hour the events happened in. */
  source_event_hour: { tenant_id: string; source_id: string; hour: Date; events: number; bytes: number };
  /** Events by the hour they arrived in. */
  source_arrival_hour: {
    tenant_id: string;
    source_id: string;
    hour: Date;
    events: number;
    last_event_at: Date;
    /** Records refused in deliveries that had others. */
    rejected: Generated<number>;
    /** Events with a time far ahead of and far behind that of their receipt, with the sums of the differences. */
    ahead: Generated<number>;
    ahead_ms: Generated<number>;
    behind: Generated<number>;
    behind_ms: Generated<number>;
    /** Events whose own time was none anybody could believe. */
    unbelievable: Generated<number>;
    /** Deliveries that equalled one just before and were not stored again; they are no events. */
    repeated: Generated<number>;
  };
  /** Sources that fell silent; gone once they were heard again. Not told: silent before anybody watched. */
  source_silence: { source_id: string; tenant_id: string; last_event_at: Date; told: boolean; noted_at: Date };
  /** One row at most. */
  source_watch: { single: Generated<boolean>; since: Date; looked_at: Date };
  /** Lines the syslog doors of the installation lost before it was known whose they were. */
  syslog_loss_hour: { hour: Date; lines: number };
};
