/** Statuses of a server, proxy or network that could not do it now, 0 where no answer came: the same can be asked later. 52x are Cloudflare's. */
export function isPassingStatus(status: number): boolean {
  return (
    status === 0 ||
    status === 408 ||
    status === 429 ||
    (status >= 502 && status <= 504) ||
    (status >= 520 && status < 530)
  )
}
