import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { ColumnType, Generated } from 'kysely';

export type DetectionTables = {
  policy_group: {
    tenant_id: string;
    policy_id: string;
    group_key: string;
    /** Events up to this time open no new case. */
    suppressed_until: Date | null;
    touched_at: Generated<Date>;
  };
  policy_match: {
    tenant_id: string;
    policy_id: string;
    event_id: string;
    group_key: string;
    event_time: Date;
    /** Value of the threshold's `distinct_field`. */
    distinct_value: string | null;
    /** Which steps of a sequence it fits, bit n for step n; 1 where nothing but events is counted. */
    steps: Generated<number>;
    /** The event until a case has it; null from then on. */
    event: ColumnType<StoredEvent, string, string> | null;
    /** The case that holds the event; a match belongs to one case at most. */
    case_id: string | null;
    recorded_at: Generated<Date>;
  };
  /** Matches of a batch per policy and day of the events (UTC); several rows of one day until they are summed up. */
  policy_tally: {
    tenant_id: string;
    policy_id: string;
    /** `2026-03-01`. */
    day: string;
    matches: number;
  };
  /** Matches given up per policy and day (UTC), because it waited for too many groups. */
  policy_drop: {
    tenant_id: string;
    policy_id: string;
    /** `2026-03-01`. */
    day: string;
    matches: number;
  };
};
