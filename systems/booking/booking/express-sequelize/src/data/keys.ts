/** The keys of requests that may be sent again, in the database. */

import type { Transaction } from 'sequelize';

import type { Keys } from '../store.js';
import { KeptRequest } from './models/kept_request.js';
import { unlessTaken } from './unless_taken.js';

export function keys(transaction?: Transaction): Keys {
  return {
    async claim(account_id, key, fingerprint) {
      const values = { account_id, key, fingerprint };
      const options = { ignoreDuplicates: true, returning: false, transaction };
      return (await unlessTaken(KeptRequest.create(values, options))) !== undefined;
    },

    async find(account_id, key) {
      return (await KeptRequest.findOne({ where: { account_id, key }, transaction })) ?? undefined;
    },

    async keep(account_id, key, body) {
      await KeptRequest.update({ body }, { where: { account_id, key }, transaction });
    },
  };
}
