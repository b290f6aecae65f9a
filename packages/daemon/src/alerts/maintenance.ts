import type { Config } from '../config/schema.js';

export type MaintenanceWindow = Config['maintenance'][number];

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const minutesOfDay = 24 * 60;

/**
 * Whether a window is open, by the wall clock of its zone: an hour that is skipped is in no window, one that comes twice is
 * in it twice. A window that ends before it begins goes over midnight and belongs to the day on which it began.
 */
export const isOpen = (window: MaintenanceWindow, nowMs: number): boolean => {
  const { day, minute } = wallClock(window.zone, nowMs);
  const from = minuteOf(window.from);
  const to = minuteOf(window.to);
  const length = to > from ? to - from : to - from + minutesOfDay;
  return [0, 1].some((ago) => {
    const began = days[(day - ago + days.length) % days.length] ?? 'sun';
    const passed = minute + ago * minutesOfDay - from;
    return window.days.includes(began) && passed >= 0 && passed < length;
  });
};

const minuteOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

const formats = new Map<string, Intl.DateTimeFormat>();

const wallClock = (zone: string, nowMs: number): { readonly day: number; readonly minute: number } => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  return {
    day: days.findIndex((name) => name === parts.get('weekday')?.toLowerCase()),
    minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
  };
};
