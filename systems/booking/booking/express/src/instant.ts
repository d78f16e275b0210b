/** Instants and days: read in any offset of RFC 3339, shown in UTC by 20 characters, as SPEC.md has it. */

/** A point in time, to the second. */
export interface Instant {
  /** Since 1970 in UTC. */
  readonly seconds: number;
  /** What was read lies behind it, within the second. */
  readonly hasFraction: boolean;
}

export const DAY_SECONDS = 86_400;

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const FIRST_YEAR = 2020;
const LAST_YEAR = 2099;

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** The instant in a text, or nothing. */
export function readInstant(text: string): Instant | undefined {
  const parts = INSTANT.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, ...offset] = parts;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  if (midnight === undefined) return undefined;
  const ahead = sign === undefined ? 0 : secondsOf(offset[0], offset[1]);
  return {
    seconds: midnight + secondsOf(hour, minute) + Number(second) - (sign === '-' ? -ahead : ahead),
    hasFraction: /[1-9]/.test(fraction),
  };
}

/** The midnight, in seconds, that begins the day in a text like 2040-03-01; nothing where it is none of 2020 to 2099. */
export function readDay(text: string): number | undefined {
  const parts = DAY.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day] = parts;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  return midnight !== undefined && isInRange(midnight) ? midnight : undefined;
}

/** Whether a time in seconds is of the years that reservations may be of, in UTC. */
export function isInRange(seconds: number): boolean {
  const year = dateOf(seconds).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}

/** Seconds since midnight in UTC, with a half where there is a fraction: it is compared, and never shown. */
export function secondOfDay({ seconds, hasFraction }: Instant): number {
  const whole = ((seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  return hasFraction ? whole + 0.5 : whole;
}

export function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}

/** As an answer has it. */
export function showDate(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

export function showSeconds(seconds: number): string {
  return showDate(dateOf(seconds));
}

function secondsOf(hours: string | undefined, minutes: string | undefined): number {
  return Number(hours) * HOUR_SECONDS + Number(minutes) * MINUTE_SECONDS;
}

/** In seconds, or nothing where the day is in no calendar. */
function midnightOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  // Not by Date.UTC, which takes the years up to 99 for those of the last century.
  date.setUTCFullYear(year, month - 1, day);
  const isInCalendar = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isInCalendar ? date.getTime() / 1000 : undefined;
}
