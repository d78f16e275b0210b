/** Instants and days of UTC: how they are read, and how they are shown. */

const DAY = /^\d{4}-\d\d-\d\d$/;
const INSTANT =
  /^(?<date>\d{4}-\d\d-\d\d)T(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)(?:\.(?<fraction>\d+))?(?:Z|(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d))$/;

export const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;

// The years that SPEC.md allows, of which the second is the first one behind them.
const ALLOWED_FROM = secondsOfYear(2020);
const ALLOWED_BEFORE = secondsOfYear(2100);

/**
 * An instant of RFC 3339 as `{seconds, fraction}`: whole seconds since 1970, and what is behind them, less than 1.
 * Nothing where the text is none.
 */
export function readInstant(text) {
  const parts = INSTANT.exec(text)?.groups;
  const midnight = parts === undefined ? undefined : midnightOf(parts.date);
  if (midnight === undefined) return undefined;
  const [hour, minute, second] = [parts.hour, parts.minute, parts.second].map(Number);
  const [hours, minutes] = [parts.hours ?? 0, parts.minutes ?? 0].map(Number);
  if (hour > 23 || minute > 59 || second > 59 || hours > 23 || minutes > 59) return undefined;
  const ahead = (hours * HOUR_SECONDS + minutes * MINUTE_SECONDS) * (parts.sign === '-' ? -1 : 1);
  const local = midnight + hour * HOUR_SECONDS + minute * MINUTE_SECONDS + second;
  return { seconds: local - ahead, fraction: Number(`0.${parts.fraction ?? 0}`) };
}

/** The midnight, in seconds since 1970, with which a day like `2040-03-01` begins, or nothing. */
export function readDay(text) {
  return DAY.test(text) ? midnightOf(text) : undefined;
}

/** Whether seconds since 1970 are in the years that SPEC.md allows. */
export function isAllowed(seconds) {
  return seconds >= ALLOWED_FROM && seconds < ALLOWED_BEFORE;
}

/** Seconds since 1970 as `2040-03-01T06:00:00Z`. */
export function showInstant(seconds) {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** How many seconds after its midnight an instant is. */
export function secondOfDay(seconds) {
  return ((seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
}

/** The midnight of `YYYY-MM-DD`. Some engines take the 30th of February for a day of March. */
function midnightOf(date) {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  const isInCalendar =
    !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, date.length) === date;
  return isInCalendar ? midnight / 1000 : undefined;
}

function secondsOfYear(year) {
  return Date.UTC(year, 0, 1) / 1000;
}
