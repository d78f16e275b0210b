/** What the operations need of the database; `data/` has it. Members are named as the columns and the answers have them. */

import type { Span } from './hours.js';
import type { Instant } from './instant.js';
import type { PageRequest } from './page.js';

export const ROLES = ['player', 'owner'] as const;
export const SPORTS = [
  'tennis',
  'football',
  'padel',
  'basketball',
  'volleyball',
  'badminton',
] as const;
export const STATUSES = ['pending', 'accepted', 'rejected', 'cancelled'] as const;

export type Role = (typeof ROLES)[number];
export type Sport = (typeof SPORTS)[number];
export type Status = (typeof STATUSES)[number];

export interface NewAccount {
  email: string;
  name: string;
  password_hash: string;
  role: Role;
}

export interface Account {
  id: number;
  email: string;
  name: string;
  role: Role;
  created_at: Date;
}

export interface Credentials {
  id: number;
  password_hash: string;
  role: Role;
}

export interface NewClub {
  name: string;
  city: string;
  description: string;
}

export interface Club extends NewClub {
  id: number;
  owner_id: number;
  created_at: Date;
}

export interface NewFacility {
  name: string;
  sport: Sport;
  slot_minutes: number;
  opens: number;
  closes: number;
  price_cents: number;
}

export interface Facility extends NewFacility {
  id: number;
  club_id: number;
  retired_at: Date | null;
  created_at: Date;
}

export interface NewReservation {
  facility_id: number;
  player_id: number;
  starts_at: Date;
  ends_at: Date;
  price_cents: number;
}

export interface Reservation extends NewReservation {
  id: number;
  status: Status;
  created_at: Date;
  decided_at: Date | null;
}

/** With the owner of its club. */
export interface OwnedReservation extends Reservation {
  owner_id: number;
}

export interface NewRating {
  stars: number;
  comment: string;
}

export interface Rating extends NewRating {
  reservation_id: number;
  facility_id: number;
  created_at: Date;
}

/** Of all ratings of a facility. */
export interface RatingSummary {
  count: number;
  average: number | null;
}

export interface KeptRequest {
  fingerprint: Buffer;
  body: string | null;
}

export interface ClubFilter {
  readonly ownerId: number | undefined;
  readonly city: string | undefined;
  readonly namePart: string | undefined;
}

export interface FacilityFilter {
  /** Those alone whose slot that begins then is free. */
  readonly freeAt: Instant | undefined;
  readonly sport: Sport | undefined;
  readonly city: string | undefined;
  readonly clubId: number | undefined;
}

export interface ReservationFilter {
  readonly facilityId: number | undefined;
  readonly status: Status | undefined;
}

/** Lists give one row more than the page has, where there are more. */
export interface Accounts {
  /** Nothing where the address is taken. */
  add(account: NewAccount): Promise<Account | undefined>;
  credentials(email: string): Promise<Credentials | undefined>;
  get(id: number): Promise<Account | undefined>;
}

export interface Clubs {
  list(filter: ClubFilter, page: PageRequest): Promise<Club[]>;
  add(ownerId: number, club: NewClub): Promise<Club>;
  get(id: number): Promise<Club | undefined>;
  ownerOf(id: number): Promise<number | undefined>;
  replace(id: number, club: NewClub): Promise<Club | undefined>;
}

export interface Facilities {
  list(filter: FacilityFilter, page: PageRequest): Promise<Facility[]>;
  add(clubId: number, facility: NewFacility): Promise<Facility>;
  get(id: number): Promise<Facility | undefined>;
  isThere(id: number): Promise<boolean>;
  ownerOf(id: number): Promise<number | undefined>;
  replace(id: number, facility: NewFacility): Promise<Facility | undefined>;
  /** Keeps the time of the first time. */
  retire(id: number): Promise<void>;
}

export interface Reservations {
  /** Nothing where another reservation is in the time. */
  add(reservation: NewReservation): Promise<Reservation | undefined>;
  get(id: number): Promise<OwnedReservation | undefined>;
  ofPlayer(playerId: number, filter: ReservationFilter, page: PageRequest): Promise<Reservation[]>;
  ofOwner(ownerId: number, filter: ReservationFilter, page: PageRequest): Promise<Reservation[]>;
  /** Nothing where it is not pending. */
  decide(id: number, status: 'accepted' | 'rejected'): Promise<Reservation | undefined>;
  /** Nothing where it does not live. */
  cancel(id: number): Promise<Reservation | undefined>;
  /** The times in which reservations live. */
  taken(facilityId: number, from: Date, to: Date): Promise<Span[]>;
}

export interface Ratings {
  put(
    reservationId: number,
    facilityId: number,
    rating: NewRating,
  ): Promise<{ rating: Rating; isNew: boolean }>;
  list(facilityId: number, page: PageRequest): Promise<Rating[]>;
  summary(facilityId: number): Promise<RatingSummary>;
}

/** Keys by which a request that is sent again is known. */
export interface Keys {
  /** Whether it is new. Waits for a rival that has it and is not done. */
  claim(accountId: number, key: string, fingerprint: Buffer): Promise<boolean>;
  find(accountId: number, key: string): Promise<KeptRequest | undefined>;
  keep(accountId: number, key: string, body: string): Promise<void>;
}

export interface Tables {
  readonly accounts: Accounts;
  readonly clubs: Clubs;
  readonly facilities: Facilities;
  readonly reservations: Reservations;
  readonly ratings: Ratings;
  readonly keys: Keys;
}

/** Its own tables are in autocommit. All reject with a Problem, or with an error of the database. */
export interface Store extends Tables {
  /** Work in one transaction, which is made once more where a rival had it ended. */
  transaction<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result>;
  ask(): Promise<void>;
  close(): void;
}
