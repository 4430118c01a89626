import { Link } from '@tanstack/react-router';
import { useActionNames } from '../../components/action-names.ts';
import { plural } from '../../language/plural.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './integrations.module.css';

/** What can be done with an integration, by the names people know; each leads to its place in the catalogue of actions. */
export function ActionList({ actions }: { actions: readonly string[] }) {
  const nameOf = useActionNames();
  if (actions.length === 0) return null;
  return (
    <Panel title={plural(actions.length, '{count} action', '{count} actions')}>
      <ul className={classes.plainList}>
        {actions.map((action) => (
          <li key={action}>
            <Link to="/actions" search={{ action }} title={action}>
              {nameOf(action).name}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
