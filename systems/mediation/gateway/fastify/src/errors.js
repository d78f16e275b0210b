/** What a request can fail of; the messages are for the caller. */

import createError from '@fastify/error';

/** The body makes no document. */
export const BadBody = createError('GATEWAY_BAD_BODY', '%s', 400);

/** The upstream gave no answer, or broke it off; `cause` says how. */
export const UpstreamFailed = createError('GATEWAY_UPSTREAM_FAILED', 'the upstream failed', 502);
