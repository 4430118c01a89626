import { Menu, useMantineColorScheme } from '@mantine/core';
import { IconBrightnessAuto, IconCheck, IconMoon, IconSun } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { useApp } from '../session/app-context.ts';
import { type Density, useDensity } from '../ui/density.ts';

const themes = [
  { value: 'auto', label: 'System', icon: IconBrightnessAuto },
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
] as const;

const densities: readonly { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];

/** Theme and density. */
export function AppearanceMenu({ target }: { target: ReactElement }) {
  const { storage } = useApp();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useDensity(storage);
  const mark = (chosen: boolean) => (chosen ? <IconCheck size={16} aria-hidden /> : null);
  return (
    <Menu defaultOpened position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Theme</Menu.Label>
        {themes.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={mark(colorScheme === value)}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>Density</Menu.Label>
        {densities.map(({ value, label }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={density === value}
            rightSection={mark(density === value)}
            onClick={() => setDensity(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
