/**
 * Returns the URI that calls a phone number (RFC 3966). `phone` is as a person typed it: of several numbers the first one is called, an extension
 * follows it as `;ext=`, and the '(0)' of an international number is left out.
 */
export function telUri(phone: string): string {
  const isInternational = /^\s*(\+|00)/.test(phone)
  const [typedNumber = ''] = (isInternational ? phone.replace('(0)', '') : phone).split(/[\p{L}/;,#]/u)
  const digits = typedNumber.replaceAll(/[^\d+]/g, '')
  const extension = /(?:\bext(?:ension)?\.?|[x#])\s*(\d+)\s*$/i.exec(phone)?.[1]
  if (digits === '') return `tel:${phone.replaceAll(/[^\d+]/g, '')}`
  return `tel:${digits}${extension ? `;ext=${extension}` : ''}`
}
