/** The accounts in the database. */

import type { Transaction } from 'sequelize';

import type { Accounts } from '../store.js';
import { Account } from './models/account.js';
import { unlessTaken } from './unless_taken.js';

export function accounts(transaction?: Transaction): Accounts {
  return {
    add(account) {
      return unlessTaken(
        Account.create(account, {
          ignoreDuplicates: true,
          returning: ['id', 'email', 'name', 'role', 'created_at'],
          transaction,
        }),
      );
    },

    async credentials(email) {
      const attributes = ['id', 'password_hash', 'role'];
      return (await Account.findOne({ attributes, where: { email }, transaction })) ?? undefined;
    },

    async get(id) {
      const attributes = ['id', 'email', 'name', 'role', 'created_at'];
      return (await Account.findByPk(id, { attributes, transaction })) ?? undefined;
    },
  };
}
