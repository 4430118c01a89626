import { notifications } from '@mantine/notifications';
import { presentError } from './error-presentation.ts';

/** Failure of a mutation that no form or dialog shows itself. */
export function showError(error: unknown): void {
  const { title, text, category } = presentError(error);
  if (category === 'abort' || category === 'confirmation') return;
  notifications.show({ color: 'red', title, message: text });
}

/** What was done, in a word: "Case closed". */
export function showDone(message: string): void {
  notifications.show({ message });
}
