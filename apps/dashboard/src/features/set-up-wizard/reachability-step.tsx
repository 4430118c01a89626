import type { Reachability } from '@airdeck/contracts/onboarding/schema';
import { ipFamilies } from '@airdeck/domain/ip-address';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ProblemNote } from '../../components/problem-note.tsx';
import { tx } from '../../language/rich-text.ts';
import { t, told } from '../../language/translate.ts';
import { onboardingMutations, onboardingQueries } from '../../queries/onboarding.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { IpField } from '../../ui/ip-field.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { dateFormat, useReader } from '../../ui/reader.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type AddressKind, addressKinds, addressWords, hostOf, readAddress } from './check-address.ts';
import { adviceFor, certificateText } from './reachability-advice.ts';
import { type SetUpData, stepWords } from './set-up-steps.ts';
import classes from './set-up-wizard.module.css';
import type { StepProps } from './wizard-page.tsx';

/** Whether a system of theirs answers us, and what to do when it does not. */
export function ReachabilityStep({ data, onKeep, onNext, busy }: StepProps) {
  const check = useMutation(onboardingMutations.check(useTenantApi()));
  const { title, purpose } = stepWords('reachability');
  const passed = check.data?.reachable ?? data.checked?.reachable ?? false;
  return (
    <Panel title={title}>
      <p className={classes.purpose}>{purpose}</p>
      <AddressForm
        checking={check.isPending}
        onEdit={check.reset}
        onCheck={(url) =>
          check.mutate(url, {
            onSuccess: ({ reachable }) =>
              onKeep({ checked: { host: hostOf(url), reachable, at: new Date().toISOString() } }),
          })
        }
      />
      <ProblemNote error={check.error} />
      {check.data === undefined ? <LastCheck checked={data.checked} /> : <Result answer={check.data} />}
      <div className={classes.foot}>
        <Button variant={passed ? 'filled' : 'default'} onClick={() => onNext()} loading={busy && !check.isPending}>
          {passed ? t('Continue') : t('Skip this check')}
        </Button>
      </div>
    </Panel>
  );
}

type FormProps = { checking: boolean; onEdit: () => void; onCheck: (url: string) => void };

function AddressForm({ checking, onEdit, onCheck }: FormProps) {
  const [kind, setKind] = useState<AddressKind>('url');
  // Each kind keeps its own text: what one mask lets through another would cut.
  const [typed, setTyped] = useState<Readonly<Record<AddressKind, string>>>({ url: '', ipv4: '', ipv6: '' });
  const [problem, setProblem] = useState<string>();
  const change = (text: string) => {
    setTyped({ ...typed, [kind]: text });
    setProblem(undefined);
    onEdit();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readAddress(kind, typed[kind]);
    setProblem(read.problem);
    if (read.url !== undefined && !checking) onCheck(read.url);
  };
  const family = ipFamilies.find((each) => each === kind);
  const field = { label: t('Address to call'), value: typed[kind], error: problem, maxLength: 2000 };
  return (
    <form onSubmit={submit} noValidate className={classes.check}>
      <SegmentedControl
        aria-label={t('Kind of address')}
        size="xs"
        value={kind}
        data={addressKinds.map((each) => ({ value: each, label: addressWords[each] }))}
        onChange={(value) => {
          setKind(addressKinds.find((each) => each === value) ?? 'url');
          setProblem(undefined);
        }}
      />
      <div className={classes.checkLine}>
        {family === undefined ? (
          <TextInput
            {...field}
            type="url"
            className={classes.grow ?? ''}
            placeholder={t('https://fortigate.example.com:8443')}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(event.currentTarget.value)}
          />
        ) : (
          // Another family is another mask, and so another field.
          <IpField key={family} {...field} family={family} className={classes.grow ?? ''} onChange={change} />
        )}
        <Button type="submit" loading={checking} className={classes.checkButton ?? ''}>
          {t('Check')}
        </Button>
      </div>
      {family === undefined ? null : (
        <p className={classes.help}>{t('Called over HTTPS; the port may follow after a colon.')}</p>
      )}
    </form>
  );
}

function Result({ answer }: { answer: Reachability }) {
  const reader = useReader();
  const addresses = useQuery(onboardingQueries.addresses(useTenantApi())).data?.air_ips ?? [];
  const { reachable, status, latency_ms: latency, tls } = answer;
  const expires =
    tls?.expires_at === undefined || tls.expires_at === null
      ? undefined
      : dateFormat(reader, { dateStyle: 'medium' }).format(new Date(tls.expires_at));
  const advice = adviceFor(answer, addresses);
  return (
    <div className={classes.result} role="status">
      <div className={classes.verdict} data-good={reachable || undefined}>
        {reachable ? <IconCircleCheck size={18} aria-hidden /> : <IconCircleX size={18} aria-hidden />}
        {reachable ? t('Reachable') : t('Not reachable')}
      </div>
      <p className={classes.help}>{told(answer)}</p>
      {status === null && latency === null && tls === null ? null : (
        <KeyFacts
          facts={[
            { label: t('Status'), value: status === null ? null : t('HTTP {status}', { status }) },
            { label: t('Answer took'), value: latency === null ? null : t('{count} ms', { count: latency }) },
            { label: t('Certificate'), value: tls === null ? t('None (plain HTTP)') : certificateText(tls, expires) },
          ]}
        />
      )}
      {advice.length === 0 ? null : (
        <ul className={classes.advice}>
          {advice.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function LastCheck({ checked }: { checked: SetUpData['checked'] }) {
  if (checked === undefined) return null;
  const time = <RelativeTime time={checked.at} />;
  return (
    <p className={classes.help}>
      {checked.reachable
        ? tx('Last check: {host} was reachable, {time}.', { host: checked.host, time })
        : tx('Last check: {host} was not reachable, {time}.', { host: checked.host, time })}
    </p>
  );
}
