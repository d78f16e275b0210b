/** Answers in JSON: a plugin that gives replies `answer` and `answerText`, and the schemas that `answer` needs. */

import fp from 'fastify-plugin';

const JSON_TYPE = 'application/json';
const OK = 200;

/** The option `schema` of a route that answers with a value of a schema, by each of some statuses. */
export function answering(schema, ...statuses) {
  const codes = statuses.length > 0 ? statuses : [OK];
  return { response: Object.fromEntries(codes.map((code) => [code, schema])) };
}

async function answer(app) {
  /** Sends the value of the route's schema. Fastify alone would add a charset to the type. */
  app.decorateReply('answer', function answer(value, status = OK) {
    return this.code(status)
      .header('content-type', JSON_TYPE)
      .serializer(this.getSerializationFunction(status))
      .send(value);
  });

  /** Sends what is JSON already. */
  app.decorateReply('answerText', function answerText(text, status) {
    return this.code(status).header('content-type', JSON_TYPE).serializer(String).send(text);
  });
}

export default fp(answer, { name: 'answer' });
