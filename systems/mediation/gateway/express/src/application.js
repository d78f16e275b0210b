/**
 * Express on either version of HTTP. Express itself supports HTTP/1.1 alone: it gives each request and
 * answer prototypes of its own, which inherit from those of node:http. On node:http2 the same methods
 * must inherit from the classes of its compatibility API.
 */

import { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

import express from 'express';

/** A listener for servers of both versions; `addRoutes` gives an application its routes. */
export function createApplication(addRoutes) {
  const http1 = configure(express(), addRoutes);
  const http2 = express();
  moveMethods(http2.request, Http2ServerRequest);
  moveMethods(http2.response, Http2ServerResponse);
  configure(http2, addRoutes);
  return (req, res) => (req.httpVersionMajor === 2 ? http2 : http1)(req, res);
}

function configure(app, addRoutes) {
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  addRoutes(app);
  return app;
}

function moveMethods(ofApplication, platform) {
  const ofExpress = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(ofApplication));
  Object.setPrototypeOf(ofApplication, Object.create(platform.prototype, ofExpress));
}
