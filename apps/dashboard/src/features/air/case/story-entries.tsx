import type { CaseActivity, CaseActivityKind, CaseDetail } from '@airdeck/contracts/cases/schema';
import { caseSeverities, caseStatuses, runStatuses } from '@airdeck/contracts/statuses';
import {
  IconAlertTriangle,
  IconBolt,
  IconCirclePlus,
  IconClock,
  IconClockPause,
  IconMailForward,
  IconMessage,
  IconMessageCheck,
  IconPlayerPlay,
  IconStack2,
  IconTag,
  IconUserPlus,
  IconUserQuestion,
} from '@tabler/icons-react';
import { caseStatusLooks, runStatusLooks, type StatusLook, severityLooks } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';
import type { TimelineEntry } from '../../../ui/timeline.tsx';
import { RunLink } from './run-link.tsx';
import { storySentence } from './story-sentence.ts';

type Icon = StatusLook['icon'];

const icons: Readonly<Record<CaseActivityKind, Icon>> = {
  opened: IconCirclePlus,
  events_added: IconStack2,
  run_started: IconPlayerPlay,
  run_finished: IconBolt,
  action_finished: IconBolt,
  prompt_asked: IconUserQuestion,
  prompt_answered: IconMessageCheck,
  status_changed: IconCirclePlus,
  severity_changed: IconCirclePlus,
  assigned: IconUserPlus,
  tagged: IconTag,
  commented: IconMessage,
  waiting_changed: IconClockPause,
  sla_warning: IconClock,
  sla_breach: IconAlertTriangle,
  escalated: IconMailForward,
};

/** Kinds whose data says something their sentence does not. */
const withPayload: ReadonlySet<CaseActivityKind> = new Set(['opened', 'action_finished']);

/** An entry of a case's story as the timeline shows it. */
export function storyEntry(
  entry: CaseActivity,
  { of, nameOf }: { of: CaseDetail; nameOf: (username: string) => string },
): TimelineEntry {
  const { id, at, username, kind, data } = entry;
  const { text, note } = storySentence(entry, { nameOf });
  const look = lookOf(entry);
  const Icon = look?.icon ?? icons[kind];
  const isRunEntry = kind === 'run_started' || kind === 'run_finished';
  return {
    id,
    at,
    icon: <Icon />,
    ...(look === undefined ? {} : { color: look.color }),
    actor: nameOf(username),
    text:
      isRunEntry && typeof data.run_id === 'string' ? (
        <>
          {text} ·{' '}
          <RunLink of={of} runId={data.run_id}>
            {t('See the run')}
          </RunLink>
        </>
      ) : (
        text
      ),
    ...(note === undefined ? {} : { note }),
    ...(withPayload.has(kind) && Object.keys(data).length > 0 ? { payload: data } : {}),
  };
}

/** Colour and icon of the state an entry tells about, from the one table of states. */
function lookOf({ kind, data }: CaseActivity): StatusLook | undefined {
  if (kind === 'status_changed') {
    const to = caseStatuses.find((each) => each === data.to);
    return to && caseStatusLooks[to];
  }
  if (kind === 'severity_changed') {
    const to = caseSeverities.find((each) => each === data.to);
    return to && severityLooks[to];
  }
  if (kind === 'prompt_asked') return runStatusLooks.waiting;
  if (kind === 'run_finished' || kind === 'action_finished') {
    const status = runStatuses.find((each) => each === data.status);
    return status && runStatusLooks[status];
  }
  return undefined;
}
