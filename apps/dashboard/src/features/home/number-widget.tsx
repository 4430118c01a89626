import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChangeNote } from '../../components/widgets/change-note.tsx';
import { Figure, FigureSkeleton, FigureValue } from '../../components/widgets/figure.tsx';
import classes from '../../components/widgets/number-widget.module.css';
import { Sparkline } from '../../components/widgets/sparkline.tsx';
import { WidgetProblem } from '../../components/widgets/widget-problem.tsx';
import { type DashboardSpan, spanWindow } from '../../queries/dashboards.ts';
import { useReader } from '../../ui/reader.ts';
import { Tip } from '../../ui/tip.tsx';
import { type CasesBehind, type NumberFigure, numberFigures } from './number-figures.ts';
import { useFigures, useFiguresBefore } from './use-figures.ts';
import type { NumberWidgetType } from './widgets.ts';

type Props = { type: NumberWidgetType; name: string; span: DashboardSpan };

/** One figure: value and unit, what it was before, its course, and the way to what is behind it. */
export function NumberWidget({ type, name, span }: Props) {
  const figure = numberFigures[type];
  const reader = useReader();
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
  const nothing = value === null || value === 0;
  return (
    <Figure
      figure={
        figure.behind === undefined || nothing ? (
          <Exact exact={exact}>{text}</Exact>
        ) : (
          <BehindLink
            behind={figure.behind}
            label={`${shown}${unit === undefined ? '' : ` ${unit}`}, ${name}: show ${figure.behind.text}`}
            startTime={spanWindow({ span, timeZone: reader.timeZone }, new Date(dataUpdatedAt)).start.toISOString()}
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

type BehindProps = { behind: CasesBehind; label: string; startTime: string; children: ReactNode };

function BehindLink({ behind: { severity, status, text }, label, startTime, children }: BehindProps) {
  const filters = { ...(severity === undefined ? {} : { severity }), ...(status === undefined ? {} : { status }) };
  return (
    <Tip label={`Show ${text}`}>
      <Link
        className={classes.link}
        to="/air/case-management"
        search={{ startTime, ...(Object.keys(filters).length === 0 ? {} : { filters }) }}
        aria-label={label}
      >
        {children}
      </Link>
    </Tip>
  );
}

type ChangeProps = { figure: NumberFigure; value: number; span: DashboardSpan };

function Change({ figure, value, span }: ChangeProps) {
  const before = useFiguresBefore(span);
  return <ChangeNote now={value} before={before && figure.read(before)} span={span} more={figure.more} />;
}
