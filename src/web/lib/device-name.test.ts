import { expect, test } from 'vitest'
import { deviceName, isHandheld } from './device-name.ts'

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const edge = `${chrome} Edg/140.0.0.0`
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'
const android =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1'

test.each([
  [chrome, 'Chrome on Windows'],
  [edge, 'Edge on Windows'],
  [safari, 'Safari on macOS'],
  [android, 'Chrome on Android'],
  [firefox, 'Firefox on Linux'],
  [iphone, 'Chrome on iPhone'],
  ['node', 'node'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
])('the device with the user agent %s is called %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})

test('a phone is a hand-held device, a computer is not', () => {
  expect([android, iphone, chrome, null].map(isHandheld)).toEqual([true, true, false, false])
})
