/** The operation `with-country`: a list with the country of each conference. */

import { setMaxListeners } from 'node:events';

import { answering, textsSchema } from './answer.js';
import { rowsOf } from './conferences.js';
import { STRATEGIES } from './strategy.js';

const PATH = '/conferenceswithcountry';
const CONFERENCES = { type: 'array', items: textsSchema('name', 'country') };

/** Needs the plugin `answer`. */
export async function withCountry(app, { store, country, lookups }) {
  const lookUp = STRATEGIES[lookups.strategy];

  app.get(PATH, {
    schema: answering(CONFERENCES),
    config: { failure: 'Error occurred while retrieving conferences with country' },
    handler: async (request, reply) => {
      const controller = new AbortController();
      setMaxListeners(0, controller.signal); // as many as look-ups are in flight
      reply.raw.once('close', () => controller.abort());
      const rows = await rowsOf(store, PATH, request, reply);
      const names = rows.map(({ name }) => name);
      const countries = await lookUp(names, country, controller, lookups);
      return reply.answerList(names.map((name, index) => ({ name, country: countries[index] })));
    },
  });
}
