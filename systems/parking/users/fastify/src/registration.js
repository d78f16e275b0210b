/** What the registry is told of this process. */

const LEASE = Object.freeze({ renewalIntervalInSecs: 1, durationInSecs: 3 });
const DATA_CENTER = Object.freeze({
  '@class': 'com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo',
  name: 'MyOwn',
});

/** The id of the instance that listens on a port. */
export function idOf(port) {
  return `users-${port}`;
}

/** The members of an instance that is up, as the registry takes them. */
export function registrationOf({ host, port, isSecure }) {
  return {
    instance: {
      instanceId: idOf(port),
      hostName: host,
      app: 'USERS',
      ipAddr: host,
      vipAddress: 'users',
      status: 'UP',
      port: portOf(port, !isSecure),
      securePort: portOf(port, isSecure),
      dataCenterInfo: DATA_CENTER,
      leaseInfo: LEASE,
      metadata: {},
    },
  };
}

function portOf(port, isEnabled) {
  return { $: port, '@enabled': String(isEnabled) };
}
