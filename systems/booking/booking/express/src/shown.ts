/** What answers show of the rows, in the order of SPEC.md. */

import { showDate } from './instant.js';
import type { Account, Club, Facility, Rating, Reservation } from './store.js';

export function showAccount({ id, email, name, role, created_at }: Account) {
  return { id, email, name, role, created_at: showDate(created_at) };
}

export function showClub({ id, owner_id, name, city, description, created_at }: Club) {
  return { id, owner_id, name, city, description, created_at: showDate(created_at) };
}

export function showFacility(facility: Facility) {
  const { id, club_id, name, sport, slot_minutes, opens, closes, price_cents } = facility;
  const retired = facility.retired_at !== null;
  const created_at = showDate(facility.created_at);
  return {
    ...{ id, club_id, name, sport, slot_minutes, opens, closes, price_cents },
    ...{ retired, created_at },
  };
}

export function showReservation(reservation: Reservation) {
  const { id, facility_id, player_id, status, price_cents, decided_at } = reservation;
  return {
    id,
    facility_id,
    player_id,
    starts_at: showDate(reservation.starts_at),
    ends_at: showDate(reservation.ends_at),
    status,
    price_cents,
    created_at: showDate(reservation.created_at),
    decided_at: decided_at === null ? null : showDate(decided_at),
  };
}

export function showRating({ reservation_id, facility_id, stars, comment, created_at }: Rating) {
  return { reservation_id, facility_id, stars, comment, created_at: showDate(created_at) };
}
