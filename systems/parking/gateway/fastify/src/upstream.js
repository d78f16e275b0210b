/** The leg to instances: what sends requests to one of them. */

import { connectorTo } from './connect.js';
import { isHttp2 } from './protocol.js';
import { Http1Upstream } from './upstream_http1.js';
import { Http2Upstream } from './upstream_http2.js';

/** A function that makes the client of an origin; `leg` has the protocol, and the authority that vouches for origins. */
export function upstreamsOf(leg) {
  const Upstream = isHttp2(leg.protocol) ? Http2Upstream : Http1Upstream;
  return (origin) => new Upstream(origin, connectorTo(origin, leg));
}
