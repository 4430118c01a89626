import type { Case } from '@airdeck/contracts/cases/schema';
import { SLA_WARNING_PART } from '@airdeck/contracts/cases/sla';

type Clocked = Pick<Case, 'sla' | 'time_opened' | 'time_acknowledged' | 'time_closed'>;

/** What the clock of a case says: what is due next and when, that it stands still, or how it ended. */
export type SlaState =
  | { kind: 'none' }
  | { kind: 'met' | 'missed' }
  | { kind: 'waiting'; since: Date }
  | { kind: 'running' | 'soon' | 'late'; due: 'respond' | 'resolve'; at: Date };

export function slaState({ sla, time_opened, time_acknowledged, time_closed }: Clocked, now: Date): SlaState {
  if (sla.respond_by === null && sla.resolve_by === null) return { kind: 'none' };
  if (time_closed !== null) return { kind: sla.breached ? 'missed' : 'met' };
  if (sla.waiting_since !== null) return { kind: 'waiting', since: new Date(sla.waiting_since) };
  const due = time_acknowledged === null && sla.respond_by !== null ? 'respond' : 'resolve';
  const by = due === 'respond' ? sla.respond_by : sla.resolve_by;
  if (by === null) return { kind: 'none' };
  const at = new Date(by);
  // The time it ran. The release before answers without what it stood still.
  const whole = at.getTime() - Date.parse(time_opened) - (sla.stood_s ?? 0) * 1000;
  const left = at.getTime() - now.getTime();
  return { kind: left < 0 ? 'late' : left <= whole * SLA_WARNING_PART ? 'soon' : 'running', due, at };
}
