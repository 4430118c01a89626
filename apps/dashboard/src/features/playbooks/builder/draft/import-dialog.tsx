import { Button, FileButton, Group, Stack, Textarea } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { FormDialog } from '../../../../components/form-dialog.tsx';
import { t } from '../../../../language/translate.ts';
import { useBuilder } from '../builder-context.ts';
import type { TextProblem } from '../document/definition-yaml.ts';
import classes from './draft.module.css';

/** Takes a playbook from YAML in the place of what is built here; that can be undone. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { change, announce } = useBuilder();
  const [text, setText] = useState('');
  const [problems, setProblems] = useState<readonly TextProblem[]>([]);
  const take = async (yaml: string) => {
    const { readYaml } = await import('../document/definition-yaml.ts');
    const read = readYaml(yaml);
    if ('problems' in read) return setProblems(read.problems);
    change({ type: 'replace', definition: read.definition });
    announce(t('Imported. Undo brings back what was here.'));
    onClose();
  };
  return (
    <FormDialog title={t('Import YAML')} size={560} dirty={text.trim() !== ''} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void take(text);
        }}
      >
        <Stack gap="md">
          <p className={classes.text}>{t('It takes the place of what is built here. Undo brings that back.')}</p>
          <Group gap="xs">
            <FileButton
              accept=".yaml,.yml,application/yaml,text/yaml"
              onChange={(file) => {
                void file?.text().then((content) => {
                  setText(content);
                  setProblems([]);
                });
              }}
            >
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
                  {t('Choose a file')}
                </Button>
              )}
            </FileButton>
          </Group>
          <Textarea
            label={t('Or paste it')}
            classNames={{ input: 'air-mono' }}
            autosize
            minRows={6}
            maxRows={16}
            spellCheck={false}
            data-autofocus
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setProblems([]);
            }}
          />
          {problems.length === 0 ? null : (
            <div role="alert">
              {problems.slice(0, 5).map(({ line, message }) => (
                <p key={`${line} ${message}`} className={classes.problem}>
                  {t('Line {line}: {message}', { line, message })}
                </p>
              ))}
            </div>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" disabled={text.trim() === ''}>
              {t('Import')}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}
