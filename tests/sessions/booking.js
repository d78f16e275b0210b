// The five groups of the workload `load` of the booking test data, for k6: written from the workload by hand, as a user of k6 would.
// Its data come from the same CSV, and neither a clock nor a draw is in it.
import http from 'k6/http';
import { fail } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';

const GIVEN = new SharedArray('given', () => [JSON.parse(open(__ENV.GIVEN))])[0];
const SEED = GIVEN.seed;
const PASSWORD = 'court-side-2040';
const GROUPS = ['adders', 'bookers', 'browsers', 'raters', 'deciders'];
const SLOTS = 960 * SEED.facilities;

export const options = {
  scenarios: Object.fromEntries(
    GROUPS.map((group) => [
      group,
      {
        executor: 'shared-iterations',
        exec: group,
        vus: GIVEN.users,
        iterations: GIVEN.sessions,
        maxDuration: '2m',
      },
    ]),
  ),
};

const div = (a, b) => Math.trunc(a / b);

function moment(base, days, hours) {
  const at = new Date(Date.parse(base) + (days * 24 + hours) * 3600 * 1000);
  return at.toISOString().replace('.000Z', 'Z');
}

class Session {
  constructor(group) {
    this.n = exec.scenario.iterationInTest;
    this.group = group;
    this.email = `${group}-${GIVEN.run_id}-${this.n}@booking.example`;
  }

  send(method, path, { json, bearer, status } = {}) {
    const headers = { 'x-group': this.group, 'x-session': `${this.n}` };
    if (json) headers['content-type'] = 'application/json';
    if (bearer) headers.authorization = `Bearer ${bearer}`;
    const body = json ? JSON.stringify(json) : null;
    const response = http.request(method, `http://${GIVEN.address}${path}`, body, { headers });
    const isRight = status ? status.includes(response.status) : div(response.status, 100) === 2;
    return isRight ? response : fail(`${method} ${path}: ${response.status}`);
  }

  signUp() {
    const json = { email: this.email, name: 'Load', password: PASSWORD };
    this.send('POST', '/accounts', { json, status: [201] });
  }

  logIn(email = this.email) {
    return this.send('POST', '/auth/login', { json: { email, password: PASSWORD } }).json('token');
  }

  reserve(bearer, slot) {
    const s = (48271 * slot) % SLOTS;
    const at = moment(
      '2040-03-01T06:00:00Z',
      div(div(s, SEED.facilities), 16),
      div(s, SEED.facilities) % 16,
    );
    const json = { facility_id: 1 + (s % SEED.facilities), starts_at: at };
    const id = this.send('POST', '/reservations', { json, bearer, status: [201] }).json('id');
    return { id, s };
  }
}

export function adders() {
  const session = new Session('adders');
  const bearer = session.logIn(GIVEN.owners[session.n % GIVEN.owners.length]);
  const club = session.send('GET', '/clubs?mine=true', { bearer }).json('items.0.id');
  const json = {
    name: `Court ${session.n}`,
    sport: 'padel',
    slot_minutes: 60,
    opens: 360,
    closes: 1320,
    price_cents: 1500,
  };
  const path = `/clubs/${encodeURIComponent(club)}/facilities`;
  session.send('POST', path, { json, bearer, status: [201] });
}

export function bookers() {
  const session = new Session('bookers');
  const at = moment('2041-01-01T06:00:00Z', session.n % 365, div(session.n, 365) % 16);
  session.signUp();
  const bearer = session.logIn();
  const path = `/facilities?available=true&at=${encodeURIComponent(at)}`;
  const items = session.send('GET', path, { bearer }).json('items');
  const json = { facility_id: items[session.n % 20].id, starts_at: at };
  session.send('POST', '/reservations', { json, bearer, status: [201, 409] });
}

export function browsers() {
  const session = new Session('browsers');
  const at = moment('2040-03-01T06:00:00Z', session.n % 60, div(session.n, 60) % 16);
  const bearer = session.logIn(GIVEN.players[session.n % GIVEN.players.length]);
  session.send('GET', `/facilities?available=true&at=${encodeURIComponent(at)}`, { bearer });
}

export function raters() {
  const session = new Session('raters');
  session.signUp();
  const bearer = session.logIn();
  const { id } = session.reserve(bearer, SEED.reservations + 1 + 2 * session.n);
  const json = { stars: 1 + (session.n % 5) };
  session.send('PUT', `/reservations/${encodeURIComponent(id)}/rating`, { json, bearer, status: [201] });
}

export function deciders() {
  const session = new Session('deciders');
  session.signUp();
  const player = session.logIn();
  const { id, s } = session.reserve(player, SEED.reservations + 2 + 2 * session.n);
  const owner = 1 + (((s % SEED.facilities) % SEED.clubs) % SEED.owners);
  const bearer = session.logIn(`owner-${owner}@booking.example`);
  const accepted = session.send('POST', `/reservations/${encodeURIComponent(id)}/accept`, {
    bearer,
    status: [200],
  });
  if (accepted.json('status') !== 'accepted') fail('not accepted');
}
