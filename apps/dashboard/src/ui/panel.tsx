import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import classes from './panel.module.css';

type Props = {
  title?: string;
  /** Right of the title. */
  aside?: ReactNode;
  /** Without padding, for tables and lists that reach the edge. */
  flush?: boolean;
  children: ReactNode;
};

/** A bordered surface, named by its title when it has one. */
export function Panel({ title, aside, flush = false, children }: Props) {
  const titleId = useId();
  return (
    <section className={classes.root} aria-labelledby={title === undefined ? undefined : titleId}>
      {title === undefined ? null : (
        <div className={classes.head}>
          <Title order={2} id={titleId} className={classes.title}>
            {title}
          </Title>
          {aside}
        </div>
      )}
      <div className={flush ? undefined : classes.body}>{children}</div>
    </section>
  );
}
