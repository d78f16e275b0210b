/** The operations `vehicles` and `put-vehicle`. */

import { answering } from './answer.js';
import { readValue } from './body.js';
import { both, only, own } from './identity.js';
import { newVehicle } from './requests.js';
import { VEHICLE, VEHICLES } from './schemas.js';
import { CUSTOMER } from './words.js';

const OK = 200;
const CREATED = 201;

/** Needs the plugins `answer` and `identity`. */
export async function vehicles(app, { store }) {
  app.get('/users/:id/vehicles', {
    schema: answering(VEHICLES),
    config: { may: own },
    handler: async ({ params }, reply) => reply.answer(await store.vehicles.list(params.id)),
  });

  app.put('/users/:id/vehicles/:plate', {
    schema: answering(VEHICLE, OK, CREATED),
    config: { may: both(own, only(CUSTOMER)) },
    handler: async ({ raw, params }, reply) => {
      const asked = newVehicle(await readValue(raw));
      const vehicle = { licensePlateNumber: params.plate, ...asked };
      const isNew = await store.vehicles.put(params.id, vehicle);
      return reply.answer(vehicle, isNew ? CREATED : OK);
    },
  });
}
