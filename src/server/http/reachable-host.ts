/** A name for the browser where the server listens on `host`: this machine's own, also where it listens on all addresses. */
export function reachableHost(host: string): string {
  if (['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
