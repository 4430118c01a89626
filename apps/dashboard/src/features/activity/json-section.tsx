import { Title } from '@mantine/core';
import { JsonTree } from '../../ui/json-tree.tsx';
import classes from './activity.module.css';

type Props = {
  title: string;
  value: unknown;
  /** Said where the value is null or empty. */
  nothing: string;
};

/** A JSON value under its title. */
export function JsonSection({ title, value, nothing }: Props) {
  return (
    <section>
      <Title order={3} className={classes.sectionTitle}>
        {title}
      </Title>
      {isEmpty(value) ? <p className={classes.nothing}>{nothing}</p> : <JsonTree value={value} label={title} />}
    </section>
  );
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
