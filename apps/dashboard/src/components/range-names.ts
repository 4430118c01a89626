import { t } from '../language/translate.ts';
import type { RangePreset } from '../lib/range-presets.ts';

export const rangeNames: Readonly<Record<RangePreset, string>> = {
  today: t('Today'),
  '7d': t('Last 7 days'),
  '30d': t('Last 30 days'),
  '60d': t('Last 60 days'),
  '90d': t('Last 90 days'),
  '180d': t('Last 180 days'),
  'this-month': t('This month'),
  'last-month': t('Last month'),
};
