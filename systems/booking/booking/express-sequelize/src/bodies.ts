/** The bodies of requests: their members in the order of SPEC.md, and what each must be. */

import { z } from 'zod';

import { isInRange, readInstant } from './instant.js';
import { NO_OBJECT, integer, integerOf, plainText, text, word } from './members.js';
import { ROLES, SPORTS } from './store.js';

const ADDRESS = /^[a-z0-9._%+-]{1,64}@[a-z0-9.-]{3,189}$/;
const SHORTEST_ADDRESS = 6;
const SHORTEST_PASSWORD_BYTES = 8;
const LONGEST_PASSWORD_BYTES = 72;
const SLOT_MINUTES: readonly number[] = [30, 60, 90];
const MINUTES_OF_DAY = 1440;
const HOURS: readonly unknown[] = ['opens', 'closes', 'slot_minutes'];

/** An e-mail address as it is kept: the case of ASCII letters alone does not count. */
export function lowerCase(address: string): string {
  return address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether an account can have an address, which is in lower case. */
export function isAddress(address: string): boolean {
  return ADDRESS.test(address) && address.length >= SHORTEST_ADDRESS;
}

/** Whether bcrypt takes in the whole of a password. */
export function isWithinLimit(password: string): boolean {
  return Buffer.byteLength(password) <= LONGEST_PASSWORD_BYTES;
}

export const accountBody = z.object(
  {
    email: plainText()
      .transform(lowerCase)
      .refine((address) => ADDRESS.test(address), { error: 'format' })
      .refine((address) => address.length >= SHORTEST_ADDRESS, { error: 'too-short' }),
    name: text(1, 100),
    password: plainText()
      .refine((value) => Buffer.byteLength(value) >= SHORTEST_PASSWORD_BYTES, {
        error: 'too-short',
      })
      .refine(isWithinLimit, { error: 'too-long' }),
    role: word(ROLES)
      .nullish()
      .transform((role) => role ?? 'player'),
  },
  { error: NO_OBJECT },
);

export const logInBody = z.object(
  { email: plainText(), password: plainText() },
  { error: NO_OBJECT },
);

export const clubBody = z.object(
  {
    name: text(1, 100),
    city: text(1, 100),
    description: text(0, 1000)
      .nullish()
      .transform((description) => description ?? ''),
  },
  { error: NO_OBJECT },
);

export const facilityBody = z
  .object(
    {
      name: text(1, 100),
      sport: word(SPORTS),
      slot_minutes: integer().refine((minutes) => SLOT_MINUTES.includes(minutes), {
        error: 'unknown-value',
      }),
      opens: integerOf(0, MINUTES_OF_DAY),
      closes: integerOf(0, MINUTES_OF_DAY),
      price_cents: integerOf(0, 1_000_000),
    },
    { error: NO_OBJECT },
  )
  .refine(({ opens, closes }) => closes > opens, {
    error: 'range',
    path: ['closes'],
    when: areHoursSound,
  })
  .refine(({ opens, closes, slot_minutes }) => (closes - opens) % slot_minutes === 0, {
    error: 'not-aligned',
    path: ['closes'],
    when: areHoursSound,
  });

/** `now` is a clock in milliseconds. */
export function reservationBody(now: () => number) {
  return z.object(
    {
      facility_id: integer().refine((id) => id >= 1, { error: 'range' }),
      starts_at: instant()
        .refine(({ seconds }) => isInRange(seconds), { error: 'range' })
        .refine(({ seconds }) => seconds * 1000 > now(), { error: 'in-past' }),
      slots: integerOf(1, 4)
        .nullish()
        .transform((slots) => slots ?? 1),
    },
    { error: NO_OBJECT },
  );
}

export const ratingBody = z.object(
  {
    stars: integerOf(1, 5),
    comment: text(0, 500)
      .nullish()
      .transform((comment) => comment ?? ''),
  },
  { error: NO_OBJECT },
);

function instant() {
  return plainText().transform((value, context) => {
    const read = readInstant(value);
    if (read !== undefined) return read;
    context.issues.push({ code: 'custom', message: 'format', input: value });
    return z.NEVER;
  });
}

/** Whether the body is an object, and none of the members that make the hours has a fault. */
function areHoursSound({ issues }: z.core.ParsePayload): boolean {
  return issues.every(({ path }) => {
    const member = path?.[0];
    return member !== undefined && !HOURS.includes(member);
  });
}
