import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import type { ReactElement } from 'react';
import { t } from '../language/translate.ts';
import { useApp } from '../session/app-context.ts';
import { type Density, useDensity } from '../ui/density.ts';
import { useOpenedAtOnce } from '../ui/use-opened-at-once.ts';

const themes: readonly { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: t('System') },
  { value: 'light', label: t('Light') },
  { value: 'dark', label: t('Dark') },
];

const densities: readonly { value: Density; label: string }[] = [
  { value: 'comfortable', label: t('Comfortable') },
  { value: 'compact', label: t('Compact') },
];

/** Theme and density. */
export function AppearanceMenu({ target }: { target: ReactElement }) {
  const { storage } = useApp();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity(storage);
  const { button, opened, setOpened } = useOpenedAtOnce(target);
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
          <Menu.Label>{t('Theme')}</Menu.Label>
          {themes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.RadioGroup value={density} onChange={(value) => setDensity(value as Density)}>
          <Menu.Label>{t('Density')}</Menu.Label>
          {densities.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
