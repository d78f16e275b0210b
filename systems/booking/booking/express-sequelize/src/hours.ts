/** The grid of a facility: its slots of a day, and where a reservation may begin. Pure rules, in UTC. */

import { type Instant, secondOfDay, showSeconds } from './instant.js';

const MINUTE_SECONDS = 60;
/** In no hours. */
const NO_MINUTE = -1;

/** Minutes after midnight, and the length of a slot. */
export interface Hours {
  readonly opens: number;
  readonly closes: number;
  readonly slot_minutes: number;
}

/** A time that is taken. */
export interface Span {
  readonly starts_at: Date;
  readonly ends_at: Date;
}

export interface Slot {
  readonly starts_at: string;
  readonly ends_at: string;
  readonly available: boolean;
}

/** What is wrong with the start of a reservation, or nothing. */
export function faultOfStart(
  { opens, closes, slot_minutes }: Hours,
  start: Instant,
  slots: number,
): 'outside-hours' | 'not-aligned' | undefined {
  const first = opens * MINUTE_SECONDS;
  const length = slot_minutes * MINUTE_SECONDS;
  const begin = secondOfDay(start);
  if (begin < first || begin + slots * length > closes * MINUTE_SECONDS) return 'outside-hours';
  return (begin - first) % length === 0 ? undefined : 'not-aligned';
}

/** The minute of the day that an instant is, where it is one to the second and below. */
export function minuteOfDay(at: Instant): number {
  const second = secondOfDay(at);
  return second % MINUTE_SECONDS === 0 ? second / MINUTE_SECONDS : NO_MINUTE;
}

/** The slots of the day that begins at `midnight`, in seconds; `taken` are the reservations that live in it. */
export function slotsOf(
  { opens, closes, slot_minutes }: Hours,
  midnight: number,
  taken: readonly Span[],
  isRetired: boolean,
): Slot[] {
  const slots = [];
  for (let minute = opens; minute + slot_minutes <= closes; minute += slot_minutes) {
    const begin = midnight + minute * MINUTE_SECONDS;
    const end = begin + slot_minutes * MINUTE_SECONDS;
    slots.push({
      starts_at: showSeconds(begin),
      ends_at: showSeconds(end),
      available: !isRetired && !taken.some((span) => overlaps(span, begin, end)),
    });
  }
  return slots;
}

function overlaps({ starts_at, ends_at }: Span, begin: number, end: number): boolean {
  return starts_at.getTime() < end * 1000 && ends_at.getTime() > begin * 1000;
}
