import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../language/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import type { WidgetControls } from './widget-frame.tsx';
import { NAME_MAX, widgetShapes } from './widgets.ts';

type Props = Pick<WidgetControls, 'widget' | 'change' | 'say'> & { onClose: () => void };

/** Asks what a widget shall be called, so that two of one type can be told apart. */
export function RenameDialog({ widget: { id, type, data }, change, say, onClose }: Props) {
  const [text, setText] = useState(data.name);
  const usual = widgetShapes[type].name;
  const save = (event: FormEvent) => {
    event.preventDefault();
    const name = text.trim() === '' ? usual : text.trim();
    change((widgets) =>
      widgets.map((widget) => (widget.id === id ? { ...widget, data: { ...widget.data, name } } : widget)),
    );
    say(t('{before} is now called {name}.', { before: data.name, name }));
    onClose();
  };
  return (
    <Dialog title={t('Rename {name}', { name: data.name })} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <Stack gap="md">
          <TextInput
            label={t('Name')}
            description={t('Left empty: {name}', { name: usual })}
            inputWrapperOrder={['label', 'input', 'description']}
            value={text}
            maxLength={NAME_MAX}
            autoComplete="off"
            data-autofocus
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit">{t('Rename')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
