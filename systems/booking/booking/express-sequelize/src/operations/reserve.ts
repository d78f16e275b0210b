/** The work of the operation `reserve`, in one transaction. */

import { createHash } from 'node:crypto';

import { faultOfStart } from '../hours.js';
import { type Instant, dateOf, showSeconds } from '../instant.js';
import { Problem, invalid } from '../problem.js';
import { showReservation } from '../shown.js';
import type { Facility, Keys, Tables } from '../store.js';
import { found } from './ownership.js';

const MINUTE_SECONDS = 60;

/** What a player asks for. */
export interface Wish {
  readonly facility_id: number;
  readonly starts_at: Instant;
  readonly slots: number;
}

/** The JSON of a reservation, which may be that of an earlier request of the same key. */
export interface Reserved {
  readonly text: string;
  readonly isReplayed: boolean;
}

/** Whatever ends without a reservation leaves no key behind, since the transaction ends with it. */
export async function reserve(
  tables: Tables,
  playerId: number,
  wish: Wish,
  key: string | undefined,
): Promise<Reserved> {
  if (key === undefined) return { text: await make(tables, playerId, wish), isReplayed: false };
  const fingerprint = fingerprintOf(wish);
  if (!(await tables.keys.claim(playerId, key, fingerprint))) {
    return { text: await replay(tables.keys, playerId, key, fingerprint), isReplayed: true };
  }
  const text = await make(tables, playerId, wish);
  await tables.keys.keep(playerId, key, text);
  return { text, isReplayed: false };
}

async function make(tables: Tables, playerId: number, wish: Wish): Promise<string> {
  const { starts_at, slots } = wish;
  const facility = found(await tables.facilities.get(wish.facility_id));
  refuseStart(facility, wish);
  const reservation = await tables.reservations.add({
    facility_id: facility.id,
    player_id: playerId,
    starts_at: dateOf(starts_at.seconds),
    ends_at: dateOf(starts_at.seconds + slots * facility.slot_minutes * MINUTE_SECONDS),
    price_cents: slots * facility.price_cents,
  });
  if (reservation === undefined) throw new Problem('slot-taken');
  return JSON.stringify(showReservation(reservation));
}

function refuseStart(facility: Facility, { starts_at, slots }: Wish): void {
  const fault = faultOfStart(facility, starts_at, slots);
  if (fault !== undefined) throw invalid('/starts_at', fault);
  if (facility.retired_at !== null) throw new Problem('facility-retired');
}

async function replay(
  keys: Keys,
  accountId: number,
  key: string,
  fingerprint: Buffer,
): Promise<string> {
  const kept = await keys.find(accountId, key);
  if (kept === undefined || kept.body === null) {
    throw new Problem('internal', { cause: new Error('a key was kept without its answer') });
  }
  if (!kept.fingerprint.equals(fingerprint)) throw new Problem('idempotency-mismatch');
  return kept.body;
}

function fingerprintOf({ facility_id, starts_at, slots }: Wish): Buffer {
  const text = `${facility_id}|${showSeconds(starts_at.seconds)}|${slots}`;
  return createHash('sha256').update(text).digest();
}
