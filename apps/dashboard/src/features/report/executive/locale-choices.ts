/** Languages a report can be written in, with their formats. */
export const localeChoices = [
  { value: 'en-US', label: 'English (United States)' },
  { value: 'en-CA', label: 'English (Canada)' },
  { value: 'pt-BR', label: 'Português (Brasil)' },
] as const;
