/** The operation `login`. */

import { answering } from './answer.js';
import { readValue } from './body.js';
import { Problem } from './problem.js';
import { credentials } from './requests.js';
import { email as addressRule } from './rules.js';
import { LOGIN } from './schemas.js';

/** Needs the plugin `answer`. */
export async function logins(app, { store, passwords, tokens }) {
  app.post('/users/login', {
    schema: answering(LOGIN),
    handler: async ({ raw }, reply) => {
      const { email, password } = credentials(await readValue(raw));
      // Nobody is looked for by an address that no user can have.
      const canBe = addressRule.faultOf(email) === undefined;
      const user = canBe ? await store.users.byEmail(email) : undefined;
      // Without a user as well, so that nobody can tell by the time whether there is one.
      const isRight = await passwords.isRight(password, user?.hash);
      if (user === undefined || !isRight) throw new Problem('credentials');
      if (!user.isEnabled) throw new Problem('account-blocked');
      const { token, expiresAt } = tokens.issue(user);
      return reply.answer({ token, name: user.name, expiresAt });
    },
  });
}
