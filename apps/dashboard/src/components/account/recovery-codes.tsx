import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { useProduct } from '../../lib/product.ts';
import { saveFile } from '../../lib/save-file.ts';
import { copyRefused, tryToCopy } from '../../ui/copy-text.ts';
import classes from './recovery-codes.module.css';

type Props = {
  codes: readonly string[];
  /** Whose they are: it stands in the file. */
  account: string;
};

/** Recovery codes, shown this one time: to copy, to keep as a file, to print. */
export function RecoveryCodes({ codes, account }: Props) {
  const { name } = useProduct();
  const [copied, setCopied] = useState<boolean>();
  const text = recoveryCodesText({ product: name, account, codes });
  const copy = async () => {
    setCopied(await tryToCopy(codes.join('\n')));
  };
  return (
    <Stack gap="sm" className={classes.root ?? ''}>
      <ul className={classes.codes} aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="xs" className={classes.actions ?? ''}>
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={() => void copy()}
        >
          {copied ? t('Copied') : t('Copy')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveText(text, `${name.toLowerCase()}-recovery-codes.txt`)}
        >
          {t('Download')}
        </Button>
        <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
          {t('Print')}
        </Button>
      </Group>
      {copied === false ? (
        <Text size="sm" role="alert">
          {copyRefused}
        </Text>
      ) : null}
    </Stack>
  );
}

export function recoveryCodesText({ product, account, codes }: { product: string } & Props): string {
  return [
    t('Recovery codes of {account} for {product}', { account, product }),
    t('Each works once, in place of the authenticator code. Keep them where nobody else looks.'),
    '',
    ...codes,
    '',
  ].join('\n');
}

function saveText(text: string, name: string): void {
  saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), name);
}
