/**
 * Removes `expires_at` from an answer that contains a session. Other answers stay as they are. The official client then computes the time of
 * expiry from `expires_in` and this device's clock. It uses the same clock to decide when to renew the session. With the server's time, a
 * device whose clock is an hour ahead would renew its session before every request.
 */
export async function withoutExpiry(response: Response): Promise<Response> {
  const body: unknown = response.ok
    ? await response
        .clone()
        .json()
        .catch(() => null)
    : null
  if (typeof body !== 'object' || body === null || !('access_token' in body) || !('expires_in' in body)) return response
  const { status, statusText, headers } = response
  return new Response(JSON.stringify({ ...body, expires_at: undefined }), { status, statusText, headers })
}
