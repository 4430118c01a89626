import { Title } from '@mantine/core';
import { JsonTree } from '../../ui/json-tree.tsx';
import classes from './action-run.module.css';

type Props = {
  value: unknown;
  /** Said where the value is null or empty. */
  nothing: string;
} & ({ title: string; label?: undefined } | { title?: undefined; label: string });

/** A JSON value, under its title or named by its label where a panel has the title. */
export function JsonSection({ title, label, value, nothing }: Props) {
  return (
    <section className={classes.json}>
      {title === undefined ? null : (
        <Title order={3} className={classes.sectionTitle}>
          {title}
        </Title>
      )}
      {isEmpty(value) ? (
        <p className={classes.nothing}>{nothing}</p>
      ) : (
        <JsonTree value={value} label={title ?? label} />
      )}
    </section>
  );
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
