/** Whether the same request may succeed later: no answer (0), a limit, or a server or proxy that is down. 52x are Cloudflare's. */
export function isTemporaryStatus(status: number): boolean {
  return (
    status === 0 ||
    status === 408 ||
    status === 429 ||
    (status >= 502 && status <= 504) ||
    (status >= 520 && status < 530)
  )
}
