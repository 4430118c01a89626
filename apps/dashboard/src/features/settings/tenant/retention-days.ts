/** What is wrong with the days somebody typed; undefined when they can be saved. */
export function daysProblem(text: string, planDays: number): string | undefined {
  if (!/^\d{1,6}$/.test(text.trim())) return 'Enter a whole number of days.';
  const days = Number(text);
  if (days < 1) return 'At least one day.';
  return days > planDays ? `The plan keeps events for ${planDays} days at most.` : undefined;
}
