/**
 * Tells whether this browser is Safari on a phone or tablet ('phone') or on a desktop ('desk'). Null for other browsers. Safari makes no offer to
 * install the app: the person installs it by Safari's menu, whose steps differ between phone and desktop.
 */
export function safariKind(agent: string, hasTouch: boolean): 'phone' | 'desk' | null {
  const isSafari = /safari/i.test(agent) && !/chrome|chromium|crios|fxios|edg|android/i.test(agent)
  if (!isSafari) return null
  return /iphone|ipad|ipod/i.test(agent) || hasTouch ? 'phone' : 'desk'
}
