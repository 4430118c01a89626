import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useApp } from '../../../session/app-context.ts';
import { type Density, useDensity } from '../../../ui/density.ts';
import { Panel } from '../../../ui/panel.tsx';
import { SettingRow } from '../setting-row.tsx';

const themes: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const densities: { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];

/** Theme and density; they change at once and stay in this browser. */
export function AppearanceBlock() {
  const { storage } = useApp();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity(storage);
  return (
    <Panel title="Appearance in this browser" flush>
      <SettingRow
        title="Theme"
        text="System follows your device."
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Theme"
            data={themes}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as MantineColorScheme)}
          />
        }
      />
      <SettingRow
        title="Density"
        text="Height of rows in lists and tables."
        actions={
          <SegmentedControl
            size="xs"
            aria-label="Density"
            data={densities}
            value={density}
            onChange={(value) => setDensity(value as Density)}
          />
        }
      />
    </Panel>
  );
}
