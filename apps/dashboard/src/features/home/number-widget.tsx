import { Skeleton } from '@mantine/core';
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type DashboardSpan, spanWindow } from '../../queries/dashboards.ts';
import { useReader } from '../../ui/reader.ts';
import { Loading } from '../../ui/skeletons.tsx';
import { Tip } from '../../ui/tip.tsx';
import { changeOf } from './figure-text.ts';
import { type CasesBehind, type NumberFigure, numberFigures } from './number-figures.ts';
import classes from './number-widget.module.css';
import { spanBefore } from './span-text.ts';
import { Sparkline } from './sparkline.tsx';
import { useFigures, useFiguresBefore } from './use-figures.ts';
import widgetClasses from './widget.module.css';
import { WidgetProblem } from './widget-problem.tsx';
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
    return (
      <div className={widgetClasses.late}>
        <Loading label={`Loading ${name}`}>
          <div className={classes.body}>
            <Skeleton height={28} width={96} my={4} />
            <Skeleton height={10} width={160} my={5} />
          </div>
        </Loading>
      </div>
    );
  }
  const value = figure.read(data);
  const { value: shown, unit, exact } = figure.text(value, reader);
  const history = figure.history?.(data);
  const text = <Value shown={shown} />;
  const nothing = value === null || value === 0;
  return (
    <div className={classes.body} data-dimmed={isPlaceholderData || undefined}>
      <div className={classes.line}>
        <span className={classes.figure}>
          {figure.behind === undefined || nothing ? (
            <Exact exact={exact}>{text}</Exact>
          ) : (
            <BehindLink
              behind={figure.behind}
              label={`${shown}${unit === undefined ? '' : ` ${unit}`}, ${name}: show ${figure.behind.text}`}
              startTime={spanWindow({ span, timeZone: reader.timeZone }, new Date(dataUpdatedAt)).start.toISOString()}
            >
              {text}
            </BehindLink>
          )}
          {unit === undefined ? null : <span className={classes.unit}>{unit}</span>}
        </span>
        {history === undefined || nothing ? null : (
          <Sparkline values={history} color={figure.color ?? 'var(--air-chart-1)'} />
        )}
      </div>
      <div className={classes.note}>
        {nothing ? figure.none : <ChangeNote figure={figure} value={value} span={span} />}
      </div>
    </div>
  );
}

/** Tints for a moment when it changes while shown, so that a change is seen without anything moving. */
function Value({ shown }: { shown: string }) {
  const [first] = useState(shown);
  return (
    <span key={shown} className={classes.value} data-changed={shown !== first || undefined}>
      {shown}
    </span>
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

function ChangeNote({ figure, value, span }: ChangeProps) {
  const before = useFiguresBefore(span);
  const change = before === undefined ? undefined : changeOf(value, figure.read(before));
  if (change === undefined) return null;
  if (change.direction === 'same') return <>Same as {spanBefore(span)}</>;
  const Icon = change.direction === 'up' ? IconArrowUpRight : IconArrowDownRight;
  const good = figure.more === undefined ? undefined : (figure.more === 'good') === (change.direction === 'up');
  return (
    <>
      <span className={classes.change} data-good={good}>
        <Icon size={14} aria-hidden />
        {change.text} {change.direction === 'up' ? 'more' : 'less'}
      </span>{' '}
      than {spanBefore(span)}
    </>
  );
}
