import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { Link } from '@tanstack/react-router';
import { t } from '../../language/translate.ts';
import classes from './graylog.module.css';

export function BackToRules() {
  return (
    <Link to="/graylog/automation-settings" className={classes.link}>
      {t('Automation settings')}
    </Link>
  );
}

export function BackToRule({ rule: { id, name } }: { rule: Pick<AutomationRule, 'id' | 'name'> }) {
  return (
    <Link to="/graylog/automation-settings/edit/$id" params={{ id }} className={classes.link}>
      {name}
    </Link>
  );
}
