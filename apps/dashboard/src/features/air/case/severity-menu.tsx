import { type CaseSeverity, caseSeverities } from '@airdeck/contracts/statuses';
import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { severityLooks } from '../../../components/status-table.ts';
import { useOpenedAtOnce } from '../../../ui/use-opened-at-once.ts';

type Props = { target: ReactElement; current: CaseSeverity; onChoose: (severity: CaseSeverity) => void };

export function SeverityMenu({ target, current, onChoose }: Props) {
  const { button, opened, setOpened } = useOpenedAtOnce(target);
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" width={180}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {caseSeverities.toReversed().map((severity) => {
          const { icon: Icon, color, word } = severityLooks[severity];
          return (
            <Menu.Item
              key={severity}
              aria-current={severity === current || undefined}
              leftSection={<Icon size={16} color={color} aria-hidden />}
              rightSection={severity === current ? <IconCheck size={16} aria-hidden /> : null}
              onClick={() => {
                if (severity !== current) onChoose(severity);
              }}
            >
              {word}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
