import type { JsonObject } from '@airdeck/contracts/fields';
import type { Onboarding } from '@airdeck/contracts/onboarding/schema';
import type { ColumnType } from 'kysely';

export type OnboardingTables = {
  onboarding: {
    tenant_id: string;
    /** Made by the client, and therefore unique within its tenant only. */
    id: string;
    kind: Onboarding['kind'];
    title: string;
    step: string;
    steps: string[];
    data: ColumnType<JsonObject, string, string>;
    created_by: string;
    updated_at: Date;
  };
  /** Calls of the running minute, one row per tenant. */
  reachability_window: { tenant_id: string; started_at: Date; calls: number };
};
