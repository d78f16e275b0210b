/** What is in the body of each operation that has one. All throw a Problem where it is not valid. */

import { readInstant } from './instant.js';
import { Members } from './members.js';
import {
  anyId,
  anyText,
  email,
  inLowerCase,
  integer,
  laterThan,
  oneOf,
  oneOfIntegers,
  password,
  text,
} from './rules.js';

export const SPORTS = ['tennis', 'football', 'padel', 'basketball', 'volleyball', 'badminton'];

const ROLES = ['player', 'owner'];
const SLOT_MINUTES = [30, 60, 90];
const MINUTES_OF_DAY = 1440;

/** The account of `sign-up`. */
export function newAccount(value) {
  const members = new Members(value);
  const account = {
    email: members.read('email', email),
    name: members.read('name', text(1, 100)),
    password: members.read('password', password),
    role: members.read('role', oneOf(ROLES), 'player'),
  };
  members.finish();
  return { ...account, email: inLowerCase(account.email) };
}

/** What `log-in` takes. An address is looked up as it is kept. */
export function newCredentials(value) {
  const members = new Members(value);
  const credentials = {
    email: members.read('email', anyText),
    password: members.read('password', anyText),
  };
  members.finish();
  return { ...credentials, email: inLowerCase(credentials.email) };
}

export function newClub(value) {
  const members = new Members(value);
  const club = {
    name: members.read('name', text(1, 100)),
    city: members.read('city', text(1, 100)),
    description: members.read('description', text(0, 1000), ''),
  };
  members.finish();
  return club;
}

export function newFacility(value) {
  const members = new Members(value);
  const name = members.read('name', text(1, 100));
  const sport = members.read('sport', oneOf(SPORTS));
  const slot_minutes = members.read('slot_minutes', oneOfIntegers(SLOT_MINUTES));
  const opens = members.read('opens', integer(0, MINUTES_OF_DAY));
  const closes = members.read('closes', integer(0, MINUTES_OF_DAY));
  if (![slot_minutes, opens, closes].includes(undefined)) {
    const fault = faultOfHours(slot_minutes, opens, closes);
    if (fault !== undefined) members.addFault('closes', fault);
  }
  const price_cents = members.read('price_cents', integer(0, 1_000_000));
  members.finish();
  return { name, sport, slot_minutes, opens, closes, price_cents };
}

/** The reservation that is wanted at `now`, in milliseconds since 1970. Its start is an instant that was read. */
export function newReservation(value, now) {
  const members = new Members(value);
  const facility_id = members.read('facility_id', anyId);
  const starts_at = members.read('starts_at', laterThan(now));
  const slots = members.read('slots', integer(1, 4), 1);
  members.finish();
  return { facility_id, start: readInstant(starts_at), slots };
}

export function newRating(value) {
  const members = new Members(value);
  const rating = {
    stars: members.read('stars', integer(1, 5)),
    comment: members.read('comment', text(0, 500), ''),
  };
  members.finish();
  return rating;
}

function faultOfHours(slotMinutes, opens, closes) {
  if (closes <= opens) return 'range';
  return (closes - opens) % slotMinutes === 0 ? undefined : 'not-aligned';
}
