import type { ObjectiveId } from '@airdeck/contracts/operations/objectives';
import type { ObjectiveState, ProcessReport } from '@airdeck/contracts/operations/schema';
import { t } from '../../../language/translate.ts';

export const objectiveWords: Readonly<Record<ObjectiveId, string>> = {
  api_answers: t('Calls of the API succeed'),
  api_speed: t('Calls of the API are answered within a second'),
  events_taken: t('Deliveries of events are taken'),
  events_speed: t('Events are acknowledged within three seconds'),
  runs_begin: t('Runs begin within two seconds'),
};

export const roleWords: Readonly<Record<ProcessReport['role'], string>> = {
  all: t('Everything'),
  api: t('API'),
  worker: t('Worker'),
  ingest: t('Ingestion'),
};

export type Standing = { word: string; tone: 'good' | 'warn' | undefined };

/** How a promise stands, in words as well as in colour. */
export function standingOf({ alert, good, bad, budget_used }: ObjectiveState): Standing {
  if (alert?.severity === 'urgent') return { word: t('Failing now'), tone: 'warn' };
  if (alert?.severity === 'slow') return { word: t('Failing slowly'), tone: 'warn' };
  if (good + bad === 0) return { word: t('Nothing counted'), tone: undefined };
  return budget_used > 1 ? { word: t('Missed'), tone: 'warn' } : { word: t('Kept'), tone: 'good' };
}
