import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { changeOf } from './figure-text.ts';
import classes from './number-widget.module.css';
import { spanBefore } from './span-text.ts';

type Props = {
  now: number | null;
  /** Of the equally long span before; undefined until known. */
  before: number | null | undefined;
  span: DashboardSpan;
  /** Whether more is good or bad news; undefined when it is neither. */
  more?: 'good' | 'bad' | undefined;
};

/** How a figure stands to the one of the span before. */
export function ChangeNote({ now, before, span, more }: Props) {
  const change = before === undefined ? undefined : changeOf(now, before);
  if (change === undefined) return null;
  if (change.direction === 'same') return <>{t('Same as {before}', { before: spanBefore(span) })}</>;
  const Icon = change.direction === 'up' ? IconArrowUpRight : IconArrowDownRight;
  const good = more === undefined ? undefined : (more === 'good') === (change.direction === 'up');
  return (
    <>
      {tx('{change} than {before}', {
        change: (
          <span className={classes.change} data-good={good}>
            <Icon size={14} aria-hidden />
            {change.direction === 'up'
              ? t('{percent} more', { percent: change.text })
              : t('{percent} less', { percent: change.text })}
          </span>
        ),
        before: spanBefore(span),
      })}
    </>
  );
}
