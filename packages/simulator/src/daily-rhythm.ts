/** Share of the busiest hour, by hour of the day in UTC. */
const byHour = [
  0.16, 0.14, 0.13, 0.13, 0.15, 0.2, 0.35, 0.6, 0.85, 0.97, 1, 0.98, 0.82, 0.88, 0.98, 0.96, 0.88, 0.7, 0.5, 0.38, 0.32,
  0.27, 0.22, 0.18,
] as const;

const WEEKEND = 0.35;

/** How busy the company is at a moment: above 0, at most 1, changing smoothly within the hour. */
export function rhythmAt(time: Date): number {
  const hour = time.getUTCHours();
  const now = byHour[hour] ?? 1;
  const next = byHour[(hour + 1) % 24] ?? 1;
  const share = (time.getUTCMinutes() * 60 + time.getUTCSeconds()) / 3600;
  const day = time.getUTCDay();
  return (now + (next - now) * share) * (day === 0 || day === 6 ? WEEKEND : 1);
}
