export interface SecurityOptions {
  /** Whether people open the app over https (from `SITE_URL`). */
  isHttps: boolean
  /** Another origin that the page calls: the Supabase project for which the client was built. */
  apiOrigin?: string | undefined
}

/** Returns the security headers of every response: they forbid content sniffing, and if `isHttps` is true, demand https for a year (HSTS). */
export function commonSecurityHeaders({ isHttps }: SecurityOptions): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/**
 * Returns the security headers of the app's page. Scripts and styles come from files of this origin only, never from the
 * page itself. No other site may frame the page, keep a reference to its window, or read its full URL as referrer (OWASP
 * ASVS 3.4).
 */
export function pageHeaders({ apiOrigin }: SecurityOptions): Record<string, string> {
  const api = apiOrigin === undefined ? '' : ` ${apiOrigin} ${apiOrigin.replace(/^http/, 'ws')}`
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${api}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'X-Frame-Options': 'DENY',
  }
}
