import type { Config } from '../config/schema.js';
import { lastCronTime } from '../schedule/cron-times.js';

export type MaintenanceWindow = Config['maintenance'][number];

const minuteMs = 60_000;
const dayMinutes = 24 * 60;

/** Cached state of each window for the current minute: rules are evaluated more often than that. */
const found = new WeakMap<MaintenanceWindow, { readonly minute: number; readonly isOpen: boolean }>();

/**
 * Whether a window is open, by the wall clock of its zone. Start and end follow the rules of cron: a time that the clock skips
 * applies when the clock is moved, and a repeated time counts the first time. A window of which nothing would remain keeps its
 * usual length. A window that ends before it starts spans midnight and belongs to the day of its start.
 */
export const isOpen = (window: MaintenanceWindow, nowMs: number): boolean => {
  const minute = Math.floor(nowMs / minuteMs);
  const known = found.get(window);
  if (known?.minute === minute) return known.isOpen;
  const isOpenNow = isOpenAt(window, nowMs);
  found.set(window, { minute, isOpen: isOpenNow });
  return isOpenNow;
};

const isOpenAt = ({ days, from, to, zone }: MaintenanceWindow, nowMs: number): boolean => {
  const begin = lastCronTime(cronOf(from, days.join(',')), zone, nowMs);
  if (begin === undefined) return false;
  const end = lastCronTime(cronOf(to, '*'), zone, nowMs);
  if (end === undefined || end < begin) return true;
  if (end > begin) return false;
  return from === to || nowMs - begin < lengthMs(from, to);
};

const cronOf = (time: string, days: string): string => {
  const minutes = minutesOf(time);
  return `${minutes % 60} ${Math.floor(minutes / 60)} * * ${days}`;
};

const lengthMs = (from: string, to: string): number =>
  ((minutesOf(to) - minutesOf(from) + dayMinutes) % dayMinutes) * minuteMs;

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};
