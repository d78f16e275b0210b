/** Rows in memory, for tests of the service without a database. */

import type { Span } from '../hours.js';
import type {
  Account,
  Club,
  Facility,
  KeptRequest,
  NewAccount,
  Rating,
  Reservation,
  Status,
  Store,
  Tables,
} from '../store.js';

const CREATED = new Date('2026-01-01T00:00:00Z');
const LIVE: readonly Status[] = ['pending', 'accepted'];

type KeptAccount = Account & NewAccount;

export class FakeStore implements Store {
  readonly accountRows: KeptAccount[] = [];
  readonly clubRows: Club[] = [];
  readonly facilityRows: Facility[] = [];
  readonly reservationRows: Reservation[] = [];
  readonly ratingRows: Rating[] = [];
  readonly keyRows = new Map<string, KeptRequest>();

  readonly accounts: Tables['accounts'] = {
    add: (account) => {
      if (this.accountRows.some(({ email }) => email === account.email)) return later(undefined);
      return later(add(this.accountRows, { ...account, created_at: CREATED }));
    },
    credentials: (email) => later(this.accountRows.find((row) => row.email === email)),
    get: (id) => later(byId(this.accountRows, id)),
  };

  readonly clubs: Tables['clubs'] = {
    list: ({ ownerId, city }, { limit, cursor = '0' }) =>
      later(
        this.clubRows
          .filter((row) => ownerId === undefined || row.owner_id === ownerId)
          .filter((row) => city === undefined || row.city === city)
          .filter(({ id }) => id > Number(cursor))
          .slice(0, limit + 1),
      ),
    add: (owner_id, club) => later(add(this.clubRows, { ...club, owner_id, created_at: CREATED })),
    get: (id) => later(byId(this.clubRows, id)),
    ownerOf: (id) => later(byId(this.clubRows, id)?.owner_id),
    replace: (id, club) => later(change(this.clubRows, id, club)),
  };

  readonly facilities: Tables['facilities'] = {
    list: () => later(this.facilityRows),
    add: (club_id, facility) => {
      const row = { ...facility, club_id, retired_at: null, created_at: CREATED };
      return later(add<Facility>(this.facilityRows, row));
    },
    get: (id) => later(byId(this.facilityRows, id)),
    isThere: (id) => later(byId(this.facilityRows, id) !== undefined),
    ownerOf: (id) => later(this.#ownerOfFacility(id)),
    replace: (id, facility) => later(change(this.facilityRows, id, facility)),
    retire: async (id) => {
      await later(change(this.facilityRows, id, { retired_at: CREATED }));
    },
  };

  readonly reservations: Tables['reservations'] = {
    add: (reservation) => {
      const rivals = this.#taken(
        reservation.facility_id,
        reservation.starts_at,
        reservation.ends_at,
      );
      if (rivals.length > 0) return later(undefined);
      const status: Status = 'pending';
      const row = { ...reservation, status, created_at: CREATED, decided_at: null };
      return later(add<Reservation>(this.reservationRows, row));
    },
    get: (id) => {
      const row = byId(this.reservationRows, id);
      const owner_id = row && this.#ownerOfFacility(row.facility_id);
      return later(row && owner_id !== undefined ? { ...row, owner_id } : undefined);
    },
    ofPlayer: (playerId) =>
      later(this.reservationRows.filter(({ player_id }) => player_id === playerId)),
    ofOwner: (ownerId) =>
      later(
        this.reservationRows.filter(
          ({ facility_id }) => this.#ownerOfFacility(facility_id) === ownerId,
        ),
      ),
    decide: (id, status) => later(this.#move(id, ['pending'], { status, decided_at: CREATED })),
    cancel: (id) => later(this.#move(id, LIVE, { status: 'cancelled' })),
    taken: (facilityId, from, to) => later(this.#taken(facilityId, from, to)),
  };

  readonly ratings: Tables['ratings'] = {
    put: (reservation_id, facility_id, rating) => {
      const index = this.ratingRows.findIndex((row) => row.reservation_id === reservation_id);
      const row = { ...rating, reservation_id, facility_id, created_at: CREATED };
      if (index === -1) this.ratingRows.push(row);
      else this.ratingRows[index] = row;
      return later({ rating: row, isNew: index === -1 });
    },
    list: () => later(this.ratingRows),
    summary: () => {
      const stars = this.ratingRows.map((row) => row.stars);
      const sum = stars.reduce((one, other) => one + other, 0);
      return later({ count: stars.length, average: stars.length ? sum / stars.length : null });
    },
  };

  readonly keys: Tables['keys'] = {
    claim: (accountId, key, fingerprint) => {
      const name = `${accountId} ${key}`;
      if (this.keyRows.has(name)) return later(false);
      this.keyRows.set(name, { fingerprint, body: null });
      return later(true);
    },
    find: (accountId, key) => later(this.keyRows.get(`${accountId} ${key}`)),
    keep: async (accountId, key, body) => {
      const kept = await later(this.keyRows.get(`${accountId} ${key}`));
      if (kept !== undefined) kept.body = body;
    },
  };

  /** Takes back the keys alone: nothing else is written before something is refused. */
  async transaction<Result>(work: (tables: Tables) => Promise<Result>): Promise<Result> {
    const before = [...this.keyRows.keys()];
    try {
      return await work(this);
    } catch (error) {
      for (const key of this.keyRows.keys()) if (!before.includes(key)) this.keyRows.delete(key);
      throw error;
    }
  }

  async ask(): Promise<void> {
    await later(undefined);
  }

  close(): void {
    this.keyRows.clear();
  }

  #ownerOfFacility(id: number): number | undefined {
    const facility = byId(this.facilityRows, id);
    return facility && byId(this.clubRows, facility.club_id)?.owner_id;
  }

  #taken(facilityId: number, from: Date, to: Date): Span[] {
    return this.reservationRows.filter(
      ({ facility_id, status, starts_at, ends_at }) =>
        facility_id === facilityId && LIVE.includes(status) && starts_at < to && ends_at > from,
    );
  }

  #move(
    id: number,
    from: readonly Status[],
    changes: Partial<Reservation>,
  ): Reservation | undefined {
    const row = byId(this.reservationRows, id);
    return row && from.includes(row.status) ? Object.assign(row, changes) : undefined;
  }
}

function later<Value>(value: Value): Promise<Value> {
  return Promise.resolve(value);
}

function byId<Row extends { id: number }>(rows: readonly Row[], id: number): Row | undefined {
  return rows.find((row) => row.id === id);
}

function add<Row extends { id: number }>(rows: Row[], values: Omit<Row, 'id'>): Row {
  const row = { ...values, id: rows.length + 1 } as Row;
  rows.push(row);
  return row;
}

function change<Row extends { id: number }>(
  rows: readonly Row[],
  id: number,
  changes: Partial<Row>,
): Row | undefined {
  const row = byId(rows, id);
  return row && Object.assign(row, changes);
}
