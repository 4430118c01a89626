import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { NotKept } from './soar-report-page.tsx';

const kept = '2025-10-24T00:00:00.000Z';

describe('a report of a time', () => {
  it('that begins before runs do says from when they are kept', () => {
    render(<NotKept report={{ start_time: '2025-01-01T00:00:00.000Z', kept_from: kept }} />);
    expect(
      screen.getByText(/^Runs that ended before Oct 2\d, 2025 are no longer kept and not counted\.$/),
    ).toBeDefined();
  });

  it.each([
    ['that begins later', { start_time: '2025-11-01T00:00:00.000Z', kept_from: kept }],
    ['of a release that does not say it', { start_time: '2025-01-01T00:00:00.000Z' }],
  ])('%s says nothing', (_, report) => {
    const { container } = render(<NotKept report={report} />);
    expect(container.textContent).toBe('');
  });
});
