import type { ObjectiveId } from '@airdeck/contracts/operations/objectives';
import type { ArchiveStateName, ObjectiveState, ProcessReport } from '@airdeck/contracts/operations/schema';
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
  return budget_used > 1 ? { word: t('Missed##times'), tone: 'warn' } : { word: t('Kept'), tone: 'good' };
}

export type ArchiveWords = {
  word: string;
  tone: Standing['tone'];
  /** What somebody has to do. */
  hint: string | undefined;
};

export const archiveWords: Readonly<Record<ArchiveStateName, ArchiveWords>> = {
  working: { word: t('Up to date##archive'), tone: 'good', hint: undefined },
  starting: { word: t('Beginning'), tone: undefined, hint: undefined },
  late: { word: t('Late##archive'), tone: 'warn', hint: t('The disk of the archive is slow or does not answer.') },
  away: {
    word: t('Away'),
    tone: 'warn',
    hint: t('The disk of the archive is not there. Mount it; nothing has to be restarted.'),
  },
  foreign: {
    word: t('Not ours'),
    tone: 'warn',
    hint: t('The folder holds something else than the archive of this installation. Name an empty folder.'),
  },
  full: { word: t('Disk full'), tone: 'warn', hint: t('Make room on the disk of the archive.') },
  not_writable: {
    word: t('Not writable'),
    tone: 'warn',
    hint: t('The account of the server may not write to the folder of the archive.'),
  },
  damaged: {
    word: t('Damaged'),
    tone: 'warn',
    hint: t('The archive is not what was written. Keep it aside and name an empty folder.'),
  },
  failing: { word: t('Failing'), tone: 'warn', hint: t('The log of the server says why.') },
};
