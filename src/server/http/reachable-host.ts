/**
 * Returns a host name that a browser on this machine can open when the server listens on `host`, also for `0.0.0.0` and `::`.
 */
export function reachableHost(host: string): string {
  if (['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
