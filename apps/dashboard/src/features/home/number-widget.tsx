import type { TimeWindow } from '@airdeck/domain/period';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChangeNote } from '../../components/widgets/change-note.tsx';
import { Figure, FigureSkeleton, FigureValue } from '../../components/widgets/figure.tsx';
import classes from '../../components/widgets/number-widget.module.css';
import { Sparkline } from '../../components/widgets/sparkline.tsx';
import { WidgetProblem } from '../../components/widgets/widget-problem.tsx';
import type { NumberWidgetType } from '../../components/widgets/widgets.ts';
import { t } from '../../language/translate.ts';
import { askedWindow, type DashboardSpan } from '../../queries/dashboards.ts';
import { useAccess } from '../../session/access.ts';
import { useReader } from '../../ui/reader.ts';
import { Tip } from '../../ui/tip.tsx';
import { type CasesBehind, type NumberFigure, numberFigures } from './number-figures.ts';
import { useFigures, useFiguresBefore } from './use-figures.ts';

type Props = { type: NumberWidgetType; name: string; span: DashboardSpan };

/** One figure: value and unit, what it was before, its course, and the way to what is behind it. */
export function NumberWidget({ type, name, span }: Props) {
  const figure = numberFigures[type];
  const reader = useReader();
  const { allowed: maySearch } = useAccess('search');
  const { data, error, isPlaceholderData, isFetching, refetch, dataUpdatedAt } = useFigures(span);
  if (data === undefined) {
    if (error !== null) {
      return <WidgetProblem error={error} retrying={isFetching} onRetry={() => void refetch()} name={name} />;
    }
    return <FigureSkeleton name={name} />;
  }
  const value = figure.read(data);
  const { value: shown, unit, exact } = figure.text(value, reader);
  const history = figure.history?.(data);
  const text = <FigureValue shown={shown} />;
  const spoken = `${shown}${unit === undefined ? '' : ` ${unit}`}, ${name}`;
  const nothing = value === null || value === 0;
  const behind = figure.behind === 'events' && !maySearch ? undefined : figure.behind;
  return (
    <Figure
      figure={
        // Until these are there it is a figure of an earlier span, and a link would lead to what it does not count.
        behind === undefined || nothing || isPlaceholderData ? (
          <Exact exact={exact}>{text}</Exact>
        ) : (
          <BehindLink
            behind={behind}
            exact={exact}
            label={`${spoken}: ${(behind === 'events' ? t('Show the events') : behind.text).toLowerCase()}`}
            within={askedWindow({ span, timeZone: reader.timeZone }, dataUpdatedAt)}
          >
            {text}
          </BehindLink>
        )
      }
      unit={unit}
      course={
        history === undefined || nothing ? undefined : (
          <Sparkline values={history} color={figure.color ?? 'var(--air-chart-1)'} />
        )
      }
      note={nothing ? figure.none : <Change figure={figure} value={value} span={span} />}
      dimmed={isPlaceholderData}
    />
  );
}

function Exact({ exact, children }: { exact: string | undefined; children: ReactNode }) {
  if (exact === undefined) return children;
  return (
    <Tip label={exact}>
      <span>{children}</span>
    </Tip>
  );
}

type BehindProps = {
  behind: CasesBehind | 'events';
  label: string;
  within: TimeWindow;
  exact: string | undefined;
  children: ReactNode;
};

function BehindLink({ behind, label, within, exact, children }: BehindProps) {
  const common = { className: classes.link, 'aria-label': label, children };
  const startTime = within.start.toISOString();
  const endTime = within.end.toISOString();
  if (behind === 'events') {
    return (
      <Exact exact={exact}>
        <Link {...common} to="/search" search={{ timeRange: { start: startTime, end: endTime } }} />
      </Exact>
    );
  }
  const { severity, figure, text } = behind;
  const counted = severity === undefined ? { figure } : { filters: { severity } };
  return (
    <Tip label={text}>
      <Link {...common} to="/air/case-management" search={{ startTime, endTime, ...counted }} />
    </Tip>
  );
}

type ChangeProps = { figure: NumberFigure; value: number; span: DashboardSpan };

function Change({ figure, value, span }: ChangeProps) {
  const before = useFiguresBefore(span);
  return <ChangeNote now={value} before={before && figure.read(before)} span={span} more={figure.more} />;
}
