import type { CaseFigure } from '@airdeck/contracts/cases/figures';

/** How the list names the figure it was opened from. */
export const figureWords: Readonly<Record<CaseFigure, string>> = {
  automated_mttd: 'Detected by policies',
  manual_mttd: 'Acknowledged',
  automated_mttr: 'Responded to by automation',
  manual_mttr: 'Closed by people',
  answered: 'Answered by automation',
  answer_failed: 'Automation failed',
  answering: 'Automation still running',
  unanswered: 'Not answered by automation',
  late_response: 'Late for a response',
  late_resolution: 'Late for closing',
  late: 'Late',
  in_time: 'In time',
};
