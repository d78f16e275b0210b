/** Answers in JSON: a plugin that gives replies `answer` and `answerList`. */

import { setImmediate as nextTurn } from 'node:timers/promises';

import fp from 'fastify-plugin';

const JSON_TYPE = 'application/json';
// Encoded at once, in about a millisecond. A long list lets other requests in after each of them.
const SLICE_ROWS = 2_000;

const TEXT = { type: 'string' };

/** The schema of an object of texts, from which Fastify makes the function that encodes it. */
export function textsSchema(...names) {
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, TEXT])),
    required: names,
  };
}

/** The option `schema` of a route that answers 200 with a value of a schema. */
export function answering(schema) {
  return { response: { 200: schema } };
}

async function answer(app) {
  /** Sends the value of the route's schema. Fastify alone would add a charset to the type. */
  app.decorateReply('answer', function answer(value) {
    return this.header('content-type', JSON_TYPE)
      .serializer(this.getSerializationFunction(200))
      .send(value);
  });

  /** Sends a list of the route's schema, which may be long. */
  app.decorateReply('answerList', async function answerList(rows) {
    if (rows.length <= SLICE_ROWS) return this.answer(rows);
    const text = await encodeSlices(rows, this.getSerializationFunction(200));
    return this.header('content-type', JSON_TYPE).serializer(String).send(text);
  });
}

async function encodeSlices(rows, encode) {
  const parts = [];
  for (let start = 0; start < rows.length; start += SLICE_ROWS) {
    parts.push(encode(rows.slice(start, start + SLICE_ROWS)).slice(1, -1));
    await nextTurn();
  }
  return `[${parts.join(',')}]`;
}

export default fp(answer, { name: 'answer' });
