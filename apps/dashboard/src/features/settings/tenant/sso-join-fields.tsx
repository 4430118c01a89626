import { ActionIcon, Button, NativeSelect, Stack, Switch, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import { roleOf, roleOptions } from './role-options.ts';
import type { GroupRole, SsoFields } from './sso-fields.ts';
import classes from './tenant.module.css';

const NOBODY = '';
const MOST_GROUPS = 50;

type Props = {
  fields: Pick<SsoFields, 'join' | 'default_role' | 'groups_claim' | 'group_roles'>;
  problem: string | undefined;
  onChange: (part: Partial<SsoFields>) => void;
};

/** Whether somebody new joins by signing in, and as what. */
export function SsoJoinFields({ fields, problem, onChange }: Props) {
  const { join, default_role, groups_claim, group_roles } = fields;
  return (
    <Stack gap="md">
      <Switch
        label={t('New people join by signing in')}
        description={t('Off, only those invited or already members get in.')}
        checked={join}
        error={problem}
        onChange={(event) => onChange({ join: event.currentTarget.checked })}
      />
      {join ? (
        <>
          <NativeSelect
            label={t('Role of everybody who joins')}
            value={default_role ?? NOBODY}
            data={[{ value: NOBODY, label: t('None: only those of a group below join') }, ...roleOptions]}
            onChange={(event) => onChange({ default_role: roleOf(event.currentTarget.value) ?? null })}
          />
          <TextInput
            label={t('Claim that lists groups')}
            maxLength={100}
            value={groups_claim}
            onChange={(event) => onChange({ groups_claim: event.currentTarget.value })}
          />
          <GroupRoles rows={group_roles} onChange={(rows) => onChange({ group_roles: rows })} />
        </>
      ) : null}
    </Stack>
  );
}

function GroupRoles({ rows, onChange }: { rows: readonly GroupRole[]; onChange: (rows: GroupRole[]) => void }) {
  const set = (index: number, part: Partial<GroupRole>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <fieldset className={classes.groups}>
      <legend className={classes.fieldName}>{t('Roles by group')}</legend>
      <div className={classes.fieldHelp}>{t('Of several groups the highest role counts.')}</div>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity; they are only added at the end and taken away
        <div key={index} className={classes.groupRow}>
          <TextInput
            aria-label={t('Group {value}', { value: index + 1 })}
            placeholder={t('Name or id of the group')}
            maxLength={200}
            value={row.group}
            onChange={(event) => set(index, { group: event.currentTarget.value })}
          />
          <NativeSelect
            aria-label={t('Role of group {value}', { value: index + 1 })}
            value={row.role}
            data={[...roleOptions]}
            onChange={(event) => set(index, { role: roleOf(event.currentTarget.value) ?? row.role })}
          />
          <ActionIcon
            aria-label={t('Take group {value} away', { value: index + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={rows.length >= MOST_GROUPS}
        onClick={() => onChange([...rows, { group: '', role: 'Analyst' }])}
      >
        {t('Add group')}
      </Button>
    </fieldset>
  );
}
