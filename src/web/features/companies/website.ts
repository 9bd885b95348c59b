export interface Website {
  /** An http or https URL; null if the text is not one and is only shown. */
  href: string | null
  /** The text of the link: without the scheme and without a slash at the end. Without a link, the whole text. */
  label: string
}

/** Returns the link of a company's website field. 'www.acme.example' becomes an https URL; other schemes never become a link. */
export function websiteOf(text: string): Website {
  const trimmed = text.trim()
  const href = urlOf(trimmed)
  return { href, label: href ? trimmed.replace(/^https?:\/\//i, '').replace(/\/$/, '') : trimmed }
}

function urlOf(text: string): string | null {
  if (/\s/.test(text)) return null
  const hasScheme = /^[a-z][a-z\d+.-]*:/i.test(text) && !/^[^/]*:\d+(\/|$)/.test(text)
  if (!hasScheme && !/^[^\s/?#@]+\.[^\s/?#@.]{2,}/.test(text)) return null
  try {
    const url = new URL(hasScheme ? text : `https://${text}`)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
  } catch {
    return null
  }
}
