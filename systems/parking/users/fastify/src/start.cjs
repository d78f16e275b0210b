/**
 * Starts the service with threads enough. The first module that Node.js reads as an ES module makes the threads of
 * libuv, so their number has to be said before, in a file that is none.
 */

'use strict';

const { availableParallelism } = require('node:os');

// As many as libuv has where nothing is said. They stay for all else while each CPU has a hash to compute.
const OTHER_THREADS = 4;

process.env.UV_THREADPOOL_SIZE = String(availableParallelism() + OTHER_THREADS);

import('./main.js');
