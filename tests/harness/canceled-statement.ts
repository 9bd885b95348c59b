import type { Acme } from './acme.ts'

/** Returns the answer of PostgREST and of the server to a statement that took too long. */
export const canceled = (): Response =>
  Response.json({ code: '57014', message: 'canceling statement due to statement timeout' }, { status: 504 })

/**
 * Answers the first request of the device with this method and path as if its statement took too long. The others reach the server. Returns the list of
 * all requests since then ('POST /rest/v1/rpc/pull').
 */
export function cancelFirst({ browser }: Acme, method: string, path: string): readonly string[] {
  const requests: string[] = []
  browser.network.judge = (url, init) => {
    const request = `${init.method} ${new URL(url).pathname}`
    requests.push(request)
    if (request !== `${method} ${path}` || requests.indexOf(request) < requests.length - 1) return 'pass'
    return canceled()
  }
  return requests
}
