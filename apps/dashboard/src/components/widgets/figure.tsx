import { Skeleton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../../language/translate.ts';
import { Loading } from '../../ui/skeletons.tsx';
import classes from './number-widget.module.css';
import frameClasses from './widget.module.css';

type Props = {
  figure: ReactNode;
  unit?: string | undefined;
  /** Its course, right of it. */
  course?: ReactNode;
  /** One line under it. */
  note: ReactNode;
  /** That of another period, until this one is there. */
  dimmed: boolean;
};

/** One figure in a widget: the number large, what it was or means small. */
export function Figure({ figure, unit, course, note, dimmed }: Props) {
  return (
    <div className={classes.body} data-dimmed={dimmed || undefined}>
      <div className={classes.line}>
        <span className={classes.figure}>
          {figure}
          {unit === undefined ? null : <span className={classes.unit}>{unit}</span>}
        </span>
        {course}
      </div>
      <div className={classes.note}>{note}</div>
    </div>
  );
}

/** Tints for a moment when it changes while shown, so that a change is seen without anything moving. */
export function FigureValue({ shown }: { shown: string }) {
  const [first] = useState(shown);
  return (
    <span key={shown} className={classes.value} data-changed={shown !== first || undefined}>
      {shown}
    </span>
  );
}

export function FigureSkeleton({ name }: { name: string }) {
  return (
    <div className={frameClasses.late}>
      <Loading label={t('Loading {name}', { name })}>
        <div className={classes.body}>
          <Skeleton height={28} width={96} my={4} />
          <Skeleton height={10} width="100%" maw={160} my={5} />
        </div>
      </Loading>
    </div>
  );
}
