/** What a door hands over of a delivery: as it came in, and as it can be sent to another thread. */
import type { JsonObject } from '@airdeck/contracts/fields';
import type { BodyPlan } from './body-plan.ts';

export type Arrival = Body | Lines | Records;

/** Decoded bytes of an HTTP body. They are given away: whoever hands them over reads them no more. */
type Body = { readonly kind: 'body'; readonly bytes: Uint8Array; readonly plan: BodyPlan };

/** Lines of syslog, each with the time it came in at. */
type Lines = {
  readonly kind: 'lines';
  readonly lines: readonly { readonly text: string; readonly receivedAt: number }[];
};

/** What a connector fetched. */
type Records = {
  readonly kind: 'records';
  readonly records: readonly JsonObject[];
  readonly definitionId: string;
  /** Of records that no parser recognises. */
  readonly eventType: string | undefined;
};
