import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { severityLooks } from '../../components/status-table.ts';
import { ChangeNote } from '../../components/widgets/change-note.tsx';
import { Figure, FigureSkeleton, FigureValue } from '../../components/widgets/figure.tsx';
import { countText } from '../../components/widgets/figure-text.ts';
import numberClasses from '../../components/widgets/number-widget.module.css';
import { spanBefore } from '../../components/widgets/span-text.ts';
import { WidgetProblem } from '../../components/widgets/widget-problem.tsx';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { graylogQueries } from '../../queries/graylog.ts';
import type { AlertPriority } from '../../queries/graylog-answers.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { useReader } from '../../ui/reader.ts';
import { Tip } from '../../ui/tip.tsx';
import { searchOfSpan } from './graylog-search.ts';
import { severityOfPriority } from './priority.ts';

type Props = { priority: AlertPriority; name: string; span: DashboardSpan };

const showWords: Readonly<Record<AlertPriority, string>> = {
  1: t('Show high priority alerts'),
  2: t('Show medium priority alerts'),
  3: t('Show low priority alerts'),
};

/** How many alerts of one priority there are, and the way to them. */
export function AlertCountWidget({ priority, name, span }: Props) {
  const tenantApi = useTenantApi();
  const reader = useReader();
  const asked = { read: { span, timeZone: reader.timeZone }, priority };
  const count = useQuery({ ...graylogQueries.count(tenantApi, asked), placeholderData: keepPreviousData });
  const before = useQuery({ ...graylogQueries.countBefore(tenantApi, asked), enabled: count.data !== undefined });
  if (count.data === undefined) {
    return count.error === null ? (
      <FigureSkeleton name={name} />
    ) : (
      <WidgetProblem error={count.error} retrying={count.isFetching} onRetry={() => void count.refetch()} name={name} />
    );
  }
  const { value, unit } = countText(count.data, reader);
  const { icon: Icon, color } = severityLooks[severityOfPriority[priority]];
  const shown = <FigureValue shown={value} />;
  return (
    <Figure
      figure={
        count.data === 0 ? (
          shown
        ) : (
          <Tip label={showWords[priority]}>
            <Link
              className={numberClasses.link}
              to="/graylog/triggered-alerts"
              search={{ priority: `${priority}`, ...searchOfSpan(span) }}
              aria-label={t('{value}, {name}: show them', {
                value: unit === undefined ? value : `${value} ${unit}`,
                name,
              })}
            >
              {shown}
            </Link>
          </Tip>
        )
      }
      unit={unit}
      course={<Icon size={20} style={{ color, marginBottom: 8 }} aria-hidden />}
      note={
        count.data === 0 ? (
          t('No alert of this priority')
        ) : (
          <Note now={count.data} before={before.data} span={span} priority={priority} />
        )
      }
      dimmed={count.isPlaceholderData}
    />
  );
}

type NoteProps = { now: number; before: number | undefined; span: DashboardSpan; priority: AlertPriority };

/** Where there was nothing before, there is no share to say. */
function Note({ now, before, span, priority }: NoteProps) {
  if (before === 0) return t('None in {period}', { period: spanBefore(span) });
  return <ChangeNote now={now} before={before} span={span} more={priority === 1 ? 'bad' : undefined} />;
}
