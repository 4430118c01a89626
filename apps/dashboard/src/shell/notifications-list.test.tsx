import type { Notification } from '@airdeck/contracts/notifications/schema';
import type { Prompt } from '@airdeck/contracts/activity/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
