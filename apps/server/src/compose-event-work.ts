import type { LoadPolicies, PolicyKeeper } from './modules/detection/detection-port.ts';
import { createEventMatching } from './modules/detection/event-matching.ts';
import { createEventWork, type EventWork } from './modules/ingestion/event-work.ts';
import { createEventWriter } from './modules/ingestion/event-writer.ts';
import type { EventsStore } from './storage/events-store.ts';

export type ComposedEventWork = EventWork & PolicyKeeper;

export type EventWorkLog = { warn(fields: object, message: string): void };

/** What the work on events needs of the rest of the server. */
export type AroundEventWork = { loadPolicies: LoadPolicies; log: EventWorkLog };

export type RunningEventWork = ComposedEventWork & {
  /** Before the first event, so that it need not wait. Without it the first event starts it. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export type OpenEventWork = (around: AroundEventWork) => RunningEventWork;

export function composeEventWork(
  deps: AroundEventWork & { store: Pick<EventsStore, 'insert' | 'query'>; now: () => Date },
): ComposedEventWork {
  const { store, loadPolicies: load, now, log } = deps;
  const { match, ...keeper } = createEventMatching({ load, now, log });
  return { ...createEventWork({ writer: createEventWriter({ store, log }), match }), ...keeper };
}

/** In the thread of the caller: for tests and benches of everything else, which need no second one. */
export function eventWorkHere(deps: { store: Pick<EventsStore, 'insert' | 'query'>; now: () => Date }): OpenEventWork {
  const atOnce = () => Promise.resolve();
  return (around) => ({ ...composeEventWork({ ...deps, ...around }), start: atOnce, stop: atOnce });
}
