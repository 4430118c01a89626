import { type MantineColorScheme, SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import { t } from '../../../language/translate.ts';
import { useApp } from '../../../session/app-context.ts';
import { type Density, useDensity } from '../../../ui/density.ts';
import { Panel } from '../../../ui/panel.tsx';
import { SettingRow } from '../setting-row.tsx';
import { useSingleKeys } from './use-single-keys.ts';

const themes: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: t('System') },
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
];

const densities: { value: Density; label: string }[] = [
  { value: 'comfortable', label: t('Comfortable') },
  { value: 'compact', label: t('Compact') },
];

/** Theme, density and keys; they change at once and stay in this browser. */
export function AppearanceBlock() {
  const { storage } = useApp();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity(storage);
  const [singleKeys, setSingleKeys] = useSingleKeys(storage);
  return (
    <Panel title={t('Appearance in this browser')} flush>
      <SettingRow
        title={t('Theme')}
        text={t('System follows your device.')}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={t('Theme')}
            data={themes}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as MantineColorScheme)}
          />
        }
      />
      <SettingRow
        title={t('Density')}
        text={t('Height of rows in lists and tables.')}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={t('Density')}
            data={densities}
            value={density}
            onChange={(value) => setDensity(value as Density)}
          />
        }
      />
      <SettingRow
        title={t('Single-key shortcuts')}
        text={t('Keys that act when pressed alone, as j, k, / and ?. Switch them off if you steer by voice.')}
        actions={
          <Switch
            aria-label={t('Single-key shortcuts')}
            checked={singleKeys}
            onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
          />
        }
      />
    </Panel>
  );
}
