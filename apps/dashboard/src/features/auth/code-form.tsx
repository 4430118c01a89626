import { Button, Group, PinInput, Stack } from '@mantine/core';

const DIGITS = 6;

type Props = {
  code: string;
  busy: boolean;
  onChange: (code: string) => void;
  onSubmit: (code: string) => void;
  onBack: () => void;
};

/** Code of the authenticator app; sent by itself when the last digit is in. */
export function CodeForm({ code, busy, onChange, onSubmit, onBack }: Props) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (code.length === DIGITS) onSubmit(code);
      }}
    >
      <Stack gap="md">
        <PinInput
          length={DIGITS}
          type="number"
          oneTimeCode
          autoFocus
          placeholder=""
          size="md"
          gap="xs"
          aria-label="Code digit"
          disabled={busy}
          value={code}
          onChange={onChange}
          onComplete={onSubmit}
        />
        <Group gap="xs">
          <Button type="submit" loading={busy} disabled={code.length !== DIGITS}>
            Verify
          </Button>
          <Button variant="subtle" color="gray" onClick={onBack} disabled={busy}>
            Use another account
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
