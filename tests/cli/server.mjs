// A server of HTTP/1.1 and HTTP/2, in cleartext or over TLS, for the tests of `bench`: answers any
// request with five bytes, /moved with a redirect, and prints its port. Ends with its standard input.
import { readFileSync } from "node:fs";
import http2 from "node:http2";
import https from "node:https";

const [protocol, host, certificates] = process.argv.slice(2);
const answer = (request, response) => {
  const moved = request.url === "/moved";
  response.writeHead(moved ? 302 : 200, moved ? { location: "/" } : {});
  response.end("hello");
};
const tls = () => ({
  key: readFileSync(`${certificates}/server.key`),
  cert: readFileSync(`${certificates}/server.pem`),
});
const servers = {
  h1: () => https.createServer(tls(), answer),
  h2c: () => http2.createServer(answer),
  h2: () => http2.createSecureServer(tls(), answer),
};
const server = servers[protocol]();
server.listen(0, host, () => console.log(server.address().port));
process.stdin.on("end", () => process.exit()).resume();
