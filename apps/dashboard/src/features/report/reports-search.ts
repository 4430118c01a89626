import { isUuid } from '@airdeck/domain/uuid';
import { checkedSearch, choiceParam, textParam } from '../../lib/search-params.ts';

export const reportPanels = ['reports', 'schedules'] as const;
export type ReportPanel = (typeof reportPanels)[number];

/** `report` is the one opened beside the list, `schedule` the one being changed, or `new`. */
export function reportsSearch(search: Record<string, unknown>) {
  const schedule = textParam(search, 'schedule', 36);
  return checkedSearch({
    panel: choiceParam(search, 'panel', reportPanels),
    report: idParam(textParam(search, 'report', 36)),
    schedule: schedule === 'new' ? schedule : idParam(schedule),
  });
}

export type ReportsSearch = ReturnType<typeof reportsSearch>;

function idParam(text: string | undefined): string | undefined {
  const id = text?.toLowerCase();
  return id !== undefined && isUuid(id) ? id : undefined;
}
