import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './tenant.module.css';

/** What came of a test, in words and colour. */
export function SsoVerdict({ ok, children }: { ok: boolean; children: ReactNode }) {
  const Icon = ok ? IconCircleCheck : IconAlertTriangle;
  return (
    <div className={classes.verdict} data-good={ok || undefined} role="status">
      <Icon size={14} aria-hidden />
      <span>{children}</span>
    </div>
  );
}
