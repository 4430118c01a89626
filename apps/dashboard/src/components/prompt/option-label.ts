import type { Prompt } from '@airdeck/contracts/activity/schema';

/** What an option is called; its value where the question has no such option any more. */
export function labelOf(options: Prompt['options'], value: string): string {
  return options.find((option) => option.value === value)?.label ?? value;
}
