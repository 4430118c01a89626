import { expect, test } from 'vitest';
import { breadcrumbsOf } from './breadcrumbs.ts';

test('segments are capitalised and dashes become spaces', () => {
  expect(breadcrumbsOf('/air/case-management')).toEqual([
    { label: 'Air', path: '/air' },
    { label: 'Case management', path: '/air/case-management' },
  ]);
});

test('uuids are skipped but stay in the paths behind them', () => {
  const id = '0192f0c1-7e57-7000-8000-00000000abcd';
  expect(breadcrumbsOf(`/activity/playbooks/${id}/actions/`)).toEqual([
    { label: 'Activity', path: '/activity' },
    { label: 'Playbooks', path: '/activity/playbooks' },
    { label: 'Actions', path: `/activity/playbooks/${id}/actions` },
  ]);
  expect(breadcrumbsOf(`/x/${id.toUpperCase()}`)).toHaveLength(1);
});

test('the root has none, and encoded text is shown decoded', () => {
  expect(breadcrumbsOf('/')).toEqual([]);
  expect(breadcrumbsOf('/block%20address')[0]?.label).toBe('Block address');
  expect(breadcrumbsOf('/100%')[0]?.label).toBe('100%');
});
