import type { Acme } from './acme.ts'

/** Returns the response of PostgREST and of this server if a statement took too long: 504 with the code 57014. */
export const canceledResponse = (): Response =>
  Response.json({ code: '57014', message: 'canceling statement due to statement timeout' }, { status: 504 })

/**
 * Responds to the device's next request with this method and path as if its statement took too long. All other requests reach the server. Returns a
 * list to which all requests from now on are added ('POST /rest/v1/rpc/pull').
 */
export function cancelFirst({ browser }: Acme, method: string, path: string): readonly string[] {
  const requests: string[] = []
  browser.network.judge = (url, init) => {
    const request = `${init.method} ${new URL(url).pathname}`
    requests.push(request)
    if (request !== `${method} ${path}` || requests.indexOf(request) < requests.length - 1) return 'pass'
    return canceledResponse()
  }
  return requests
}
