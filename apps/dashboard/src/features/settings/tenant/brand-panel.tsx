import type { Brand } from '@airdeck/contracts/tenants/schema';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type ChangeEvent, type FormEvent, useId, useRef, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { TenantMark } from '../../../components/tenant-mark.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { Panel } from '../../../ui/panel.tsx';
import { SaveBar } from '../../../ui/save-bar.tsx';
import { useRefusal } from '../../../ui/use-refusal.ts';
import settingsClasses from '../settings.module.css';
import { colourOf, readLogo } from './logo-file.ts';
import classes from './tenant.module.css';
import { useSettingsChange, useTenantSettings } from './use-settings.ts';

/** What the tenant shows of itself in the tenant picker and on reports. */
export function BrandPanel() {
  const settings = useTenantSettings();
  const save = useSettingsChange();
  // The colour as typed; it is read when saving.
  const saved = { ...settings.brand, colour: settings.brand.colour ?? '' };
  const [draft, setDraft] = useState<Partial<typeof saved>>({});
  const [problems, setProblems] = useState<{ colour?: string; logo?: string }>({});
  const { form, refuse } = useRefusal();
  const formId = useId();
  const fields = { ...saved, ...draft };
  const dirty =
    fields.display_name.trim() !== saved.display_name || fields.colour !== saved.colour || fields.logo !== saved.logo;

  const edit = (part: Partial<typeof saved>) => {
    setDraft({ ...draft, ...part });
    setProblems({});
    if (save.isError) save.reset();
  };
  const discard = () => {
    setDraft({});
    setProblems({});
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const colour = fields.colour.trim() === '' ? null : colourOf(fields.colour);
    if (colour === undefined) {
      setProblems({ colour: t('A color such as #0b7285.') });
      return refuse();
    }
    if (!dirty || save.isPending) return;
    // Only what was changed is sent, so that what a colleague saves meanwhile stays.
    const brand: Partial<Brand> = {
      ...(draft.display_name === undefined ? {} : { display_name: draft.display_name.trim() }),
      ...(draft.colour === undefined ? {} : { colour }),
      ...(draft.logo === undefined ? {} : { logo: draft.logo }),
    };
    save.mutate(
      { brand },
      {
        onSuccess: () => {
          // What was typed meanwhile is the next change.
          setDraft((now) => (now === draft ? {} : now));
          showDone(t('Brand saved'));
        },
      },
    );
  };
  const shownName = fields.display_name.trim() || settings.name;
  return (
    <form ref={form} id={formId} onSubmit={submit} noValidate className={settingsClasses.stack}>
      <Panel title={t('Brand')}>
        <Stack gap="md">
          <ProblemNote error={save.error} />
          <TextInput
            label={t('Display name')}
            description={t('Shown in the tenant picker and on reports. Empty shows the name of the tenant.')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            placeholder={settings.name}
            maxLength={200}
            value={fields.display_name}
            onChange={(event) => edit({ display_name: event.currentTarget.value })}
          />
          <ColourField value={fields.colour} problem={problems.colour} onChange={(colour) => edit({ colour })} />
          <LogoField
            logo={fields.logo}
            problem={problems.logo}
            onChange={(logo) => edit({ logo })}
            onProblem={(logo) => setProblems({ logo })}
          />
        </Stack>
      </Panel>
      <Panel title={t('In the tenant picker')}>
        <div className={classes.preview}>
          <TenantMark name={shownName} colour={colourOf(fields.colour) ?? null} logo={fields.logo} />
          <span className={classes.previewName}>{shownName}</span>
        </div>
      </Panel>
      <SaveBar dirty={dirty} saving={save.isPending} onDiscard={discard} form={formId} />
      <LeaveGuard dirty={dirty} param="panel" />
    </form>
  );
}

type ColourProps = { value: string; problem: string | undefined; onChange: (value: string) => void };

function ColourField({ value, problem, onChange }: ColourProps) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        className={classes.colour ?? ''}
        label={t('Color')}
        description={t('Edge of the mark; never behind or in text.')}
        inputWrapperOrder={['label', 'description', 'input', 'error']}
        placeholder={t('None')}
        maxLength={7}
        value={value}
        error={problem}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <input
        type="color"
        className={classes.swatch}
        aria-label={t('Choose a color')}
        value={colourOf(value) ?? '#0b7382'}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </Group>
  );
}

type LogoProps = {
  logo: string | null;
  problem: string | undefined;
  onChange: (logo: string | null) => void;
  onProblem: (problem: string) => void;
};

function LogoField({ logo, problem, onChange, onProblem }: LogoProps) {
  const input = useRef<HTMLInputElement>(null);
  const problemId = useId();
  const choose = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    // The same file, corrected meanwhile, must be a change again.
    currentTarget.value = '';
    if (file === undefined) return;
    const read = await readLogo(file);
    if ('logo' in read) onChange(read.logo);
    else onProblem(read.problem);
  };
  return (
    <div>
      <div className={classes.fieldName}>{t('Logo')}</div>
      <div className={classes.fieldHelp}>{t('A square PNG picture, 64 kB at most.')}</div>
      <Group gap="xs">
        {logo === null ? null : <img className={classes.logo} src={logo} alt={t('Logo of the tenant')} />}
        <input
          ref={input}
          type="file"
          accept="image/png"
          aria-label={t('Logo file')}
          className={classes.file}
          onChange={(event) => void choose(event)}
          tabIndex={-1}
        />
        <Button
          variant="default"
          leftSection={<IconUpload size={16} aria-hidden />}
          onClick={() => input.current?.click()}
          {...(problem === undefined ? {} : { 'aria-describedby': problemId })}
        >
          {logo === null ? t('Choose a picture') : t('Replace')}
        </Button>
        {logo === null ? null : (
          <Button variant="default" onClick={() => onChange(null)}>
            {t('Remove logo')}
          </Button>
        )}
      </Group>
      {problem === undefined ? null : (
        <div id={problemId} className={classes.fieldProblem} role="alert">
          {problem}
        </div>
      )}
    </div>
  );
}
