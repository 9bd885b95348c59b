/**
 * Whether a request that got this HTTP status may succeed later: no answer (0), a timeout (408), a rate limit, or a server or proxy that is
 * down. Cloudflare uses 52x.
 */
export function isTemporaryStatus(status: number): boolean {
  return (
    status === 0 ||
    status === 408 ||
    status === 429 ||
    (status >= 502 && status <= 504) ||
    (status >= 520 && status < 530)
  )
}
