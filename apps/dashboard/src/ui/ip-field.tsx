import { type IpFamily, ipTyping } from '@airdeck/domain/ip-address';
import { TextInput, type TextInputProps } from '@mantine/core';
import type { MaskitoOptions } from '@maskito/core';
import { useMaskito } from '@maskito/react';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'onInput' | 'ref' | 'type'> & {
  /** One family at a time: a mask of both would let through what is neither. */
  family: IpFamily;
  value: string;
  onChange: (value: string) => void;
};

// Module constants: another object would make the mask start anew with each drawing.
const masks: Readonly<Record<IpFamily, MaskitoOptions>> = {
  ipv4: { mask: ipTyping.ipv4 },
  ipv6: { mask: ipTyping.ipv6 },
};

/**
 * An address with an optional port that takes no key that cannot lead to one (spec §5). Whether it is whole is asked on
 * submit, with `ipProblem`.
 */
export function IpField({ family, value, onChange, ...input }: Props) {
  const mask = useMaskito({ options: masks[family] });
  return (
    <TextInput
      placeholder="{ip}"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      inputMode={family === 'ipv4' ? 'decimal' : 'text'}
      {...input}
      ref={mask}
      value={value}
      // Maskito sets the value itself and tells by `input`.
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
