/** The operations on conferences alone: `list`, `insert`, `get`, `replace` and `remove`. */

import { answering, textsSchema } from './answer.js';
import { parseBody } from './body.js';
import { newConference, newName } from './conference.js';
import { nextLink, readPage } from './page.js';
import { Problem } from './problem.js';

const ALL = '/conferences';
const ONE = '/conferences/:id';

const CONFERENCE = textsSchema('id', 'name');
const CONFERENCES = { type: 'array', items: CONFERENCE };

/** Needs the plugin `answer`. */
export async function conferences(app, { store }) {
  app.get(ALL, {
    schema: answering(CONFERENCES),
    config: { failure: 'Error occurred while retrieving conferences' },
    handler: async (request, reply) => reply.answerList(await rowsOf(store, ALL, request, reply)),
  });

  app.post(ALL, {
    config: { failure: 'Error occurred while creating conference' },
    handler: async (request, reply) => {
      await store.insert(newConference(valueOf(request)));
      return reply.code(202).send();
    },
  });

  app.get(ONE, {
    schema: answering(CONFERENCE),
    config: { failure: 'Error occurred while retrieving conference' },
    handler: async ({ params }, reply) => {
      const conference = await store.get(params.id);
      if (conference === undefined) throw new Problem('not-found');
      return reply.answer(conference);
    },
  });

  app.put(ONE, {
    schema: answering(CONFERENCE),
    config: { failure: 'Error occurred while updating conference' },
    handler: async (request, reply) => {
      const { id } = request.params;
      const conference = { id, name: newName(valueOf(request), id) };
      if (!(await store.replace(conference))) throw new Problem('not-found');
      return reply.answer(conference);
    },
  });

  app.delete(ONE, {
    config: { failure: 'Error occurred while removing conference' },
    handler: async ({ params }, reply) => {
      if (!(await store.remove(params.id))) throw new Problem('not-found');
      return reply.code(204).send();
    },
  });
}

/** The rows of a list at `path`, whole or a page. Sets the field that tells of the next page. */
export async function rowsOf(store, path, request, reply) {
  const page = readPage(request.query);
  if (page === undefined) return store.list();
  const { after, limit } = page;
  const rows = await store.listAfter(after, limit + 1);
  if (rows.length > limit) {
    rows.length = limit;
    reply.header('link', nextLink(path, page, rows.at(-1).id));
  }
  return rows;
}

function valueOf({ body, raw }) {
  return parseBody(body, raw.headers['content-type']);
}
