import { severityLooks } from '../status-table.ts';

/**
 * Priorities of alerts in a chart, bottom to top; high on top, where it is seen first. Word and icon as everywhere, colours
 * of their own: those of words are too much alike side by side for eyes that see no red or no green.
 */
export const alertSeries = (['low', 'medium', 'high'] as const).map((name) => ({
  ...severityLooks[name],
  name,
  color: `var(--air-chart-${name})`,
}));
