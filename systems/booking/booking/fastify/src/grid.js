/** The slots of a facility: which there are on a day, and where a reservation may begin. */

import { secondOfDay, showInstant } from './instant.js';

const MINUTE_SECONDS = 60;

/** Why a reservation of so many slots cannot begin at an instant, as a code of SPEC.md, or nothing. */
export function faultOfStart({ seconds, fraction }, slots, { opens, closes, slot_minutes }) {
  const slotSeconds = slot_minutes * MINUTE_SECONDS;
  const behindOpening = secondOfDay(seconds) - opens * MINUTE_SECONDS;
  const open = (closes - opens) * MINUTE_SECONDS;
  const end = behindOpening + slots * slotSeconds + fraction;
  if (behindOpening < 0 || end > open) return 'outside-hours';
  return behindOpening % slotSeconds === 0 && fraction === 0 ? undefined : 'not-aligned';
}

/** The minute of its day in which an instant begins, or -1 where it has seconds, and so begins no slot. */
export function minuteOfDay({ seconds, fraction }) {
  const isWhole = fraction === 0 && seconds % MINUTE_SECONDS === 0;
  return isWhole ? secondOfDay(seconds) / MINUTE_SECONDS : -1;
}

/**
 * The slots of the day that begins at `midnight`, as they are answered; `taken` are the times of the reservations that
 * keep others out. All are instants as they are shown, which sort as they follow one another.
 */
export function slotsOfDay({ opens, closes, slot_minutes, retired }, midnight, taken) {
  const slots = [];
  for (let minute = opens; minute + slot_minutes <= closes; minute += slot_minutes) {
    const starts_at = showInstant(midnight + minute * MINUTE_SECONDS);
    const ends_at = showInstant(midnight + (minute + slot_minutes) * MINUTE_SECONDS);
    const isFree = taken.every((other) => other.ends_at <= starts_at || other.starts_at >= ends_at);
    slots.push({ starts_at, ends_at, available: isFree && !retired });
  }
  return slots;
}
