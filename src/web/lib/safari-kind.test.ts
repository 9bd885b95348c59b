import { expect, it } from 'vitest'
import { safariKind } from './safari-kind.ts'

const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36'
const chromeOnIphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/150.0 Mobile Safari/604.1'

it('Safari on a desktop and on a phone or tablet is recognised; Chrome is not Safari, also on an iPhone', () => {
  expect(safariKind(mac, false)).toBe('desk')
  // An iPad says that it is a Mac; a Mac has no touch screen.
  expect(safariKind(mac, true)).toBe('phone')
  expect(safariKind(iphone, true)).toBe('phone')
  expect(safariKind(chrome, false)).toBeNull()
  expect(safariKind(chromeOnIphone, true)).toBeNull()
})
