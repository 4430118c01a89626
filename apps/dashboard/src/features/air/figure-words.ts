import type { CaseFigure } from '@airdeck/contracts/cases/figures';
import { t } from '../../language/translate.ts';

/** How the list names the figure it was opened from. */
export const figureWords: Readonly<Record<CaseFigure, string>> = {
  automated_mttd: t('Detected by policies'),
  manual_mttd: t('Acknowledged'),
  automated_mttr: t('Responded to by automation'),
  manual_mttr: t('Closed by people'),
  answered: t('Answered by automation'),
  answer_failed: t('Automation changed nothing'),
  answering: t('Being answered'),
  unanswered: t('Nothing was started'),
  ended: t('Automation has ended'),
  false_positive: t('Closed as false'),
  late_response: t('Late for a response'),
  late_resolution: t('Late for closing'),
  late: t('Late'),
  in_time: t('In time'),
};
