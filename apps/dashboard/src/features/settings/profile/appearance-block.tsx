import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { t } from '../../../language/translate.ts';
import { useApp } from '../../../session/app-context.ts';
import { type Density, useDensity } from '../../../ui/density.ts';
import { Panel } from '../../../ui/panel.tsx';
import { SettingRow } from '../setting-row.tsx';

const themes: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: t('System') },
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
];

const densities: { value: Density; label: string }[] = [
  { value: 'comfortable', label: t('Comfortable') },
  { value: 'compact', label: t('Compact') },
];

/** Theme and density; they change at once and stay in this browser. */
export function AppearanceBlock() {
  const { storage } = useApp();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity(storage);
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
    </Panel>
  );
}
