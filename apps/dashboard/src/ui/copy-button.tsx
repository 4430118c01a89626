import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../language/translate.ts';
import { copyText } from './copy-text.ts';

const SHOWN_MS = 1500;

/** Copies a text; says so for a moment. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    if (!(await copyText(value))) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <ActionIcon size={24} aria-label={copied ? t('Copied') : label} title={label} onClick={() => void copy()}>
      {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </ActionIcon>
  );
}
