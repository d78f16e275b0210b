/** The operations `create-user`, `list-users`, `get-user` and `set-status`. */

import { answering } from './answer.js';
import { readValue } from './body.js';
import { either, only, own } from './identity.js';
import { newStatus, newUser } from './requests.js';
import { USER, USERS } from './schemas.js';
import { CUSTOMER_MANAGER, SUPERVISOR } from './words.js';

const CREATED = 201;

const managers = only(SUPERVISOR, CUSTOMER_MANAGER);

/** Needs the plugins `answer` and `identity`. */
export async function users(app, { store, passwords }) {
  app.post('/users', {
    schema: answering(USER, CREATED),
    handler: async ({ raw }, reply) => {
      const asked = newUser(await readValue(raw));
      // Before a connection of the pool is taken.
      const hash = await passwords.hash(asked.password);
      const user = await store.users.add(asked, hash);
      return reply.header('location', `/users/${user.id}`).answer(user, CREATED);
    },
  });

  app.get('/users', {
    schema: answering(USERS),
    config: { may: managers },
    handler: async (request, reply) => reply.answer(await store.users.list()),
  });

  app.get('/users/:id', {
    schema: answering(USER),
    config: { may: either(own, managers) },
    handler: async ({ params }, reply) => reply.answer(await store.users.get(params.id)),
  });

  app.put('/users/:id/status', {
    schema: answering(USER),
    config: { may: only(SUPERVISOR) },
    handler: async ({ raw, params }, reply) => {
      const { userStatus } = newStatus(await readValue(raw));
      return reply.answer(await store.users.setStatus(params.id, userStatus));
    },
  });
}
