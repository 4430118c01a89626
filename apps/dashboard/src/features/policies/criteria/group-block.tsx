import { Button, NativeSelect } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import classes from './criteria.module.css';
import { useCriteria } from './criteria-context.ts';
import { addTo, depthOf, type GroupNode, MAX_DEPTH, newField, newGroup, setKind } from './criteria-tree.ts';
import { type GroupKind, groupWords } from './criterion-words.ts';
import { FieldRow } from './field-row.tsx';
import { NodeMenu } from './node-menu.tsx';

const kinds = Object.keys(groupWords) as readonly GroupKind[];
const joints: Readonly<Record<GroupKind, string>> = { all: t('and'), any: t('or'), none: t('or') };

/** A group of conditions and groups; the outermost has no menu. */
export function GroupBlock({ group, place }: { group: GroupNode; place: string }) {
  const { root, change, problems } = useCriteria();
  const isRoot = group.id === root.id;
  const problem = problems.get(group.id);
  const name = isRoot ? t('the conditions') : t('group {place}', { place });
  return (
    <fieldset className={classes.group} data-kind={group.of} data-root={isRoot || undefined} data-node={group.id}>
      <legend className={classes.legend}>
        {isRoot ? t('Conditions') : t('Group {place}', { place })}: {groupWords[group.of].toLowerCase()}
      </legend>
      <div className={classes.groupHead}>
        <NativeSelect
          size="xs"
          className={classes.kind ?? ''}
          aria-label={t('How {name} hold together', { name })}
          data-part="kind"
          value={group.of}
          data={kinds.map((kind) => ({ value: kind, label: groupWords[kind] }))}
          onChange={(event) => {
            const kind = kinds.find((each) => each === event.currentTarget.value);
            if (kind !== undefined) change(setKind(root, group.id, kind));
          }}
        />
        {isRoot ? null : <NodeMenu id={group.id} name={name} />}
      </div>
      {problem === undefined ? null : <p className={classes.problem}>{problem}</p>}
      <ul className={classes.members}>
        {group.members.map((member, index) => {
          const inside = place === '' ? String(index + 1) : `${place}.${index + 1}`;
          return (
            <li key={member.id} className={classes.member}>
              {index === 0 ? null : (
                <span className={classes.joint} aria-hidden>
                  {joints[group.of]}
                </span>
              )}
              {member.kind === 'field' ? (
                <FieldRow node={member} place={inside} />
              ) : (
                <GroupBlock group={member} place={inside} />
              )}
            </li>
          );
        })}
      </ul>
      <AddButtons group={group} name={name} />
    </fieldset>
  );
}

function AddButtons({ group, name }: { group: GroupNode; name: string }) {
  const { root, change, focus } = useCriteria();
  const add = (kind: 'field' | 'group') => {
    const field = newField();
    change(addTo(root, group.id, kind === 'field' ? field : newGroup(group.of === 'any' ? 'all' : 'any', [field])));
    focus(field.id, 'field');
  };
  return (
    <div className={classes.adders}>
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden />}
        aria-label={t('Add a condition to {name}', { name })}
        onClick={() => add('field')}
      >
        {t('Condition')}
      </Button>
      {depthOf(root, group.id) + 1 >= MAX_DEPTH ? null : (
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-label={t('Add a group to {name}', { name })}
          onClick={() => add('group')}
        >
          {t('Group')}
        </Button>
      )}
    </div>
  );
}
